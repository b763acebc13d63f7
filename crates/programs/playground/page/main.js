// The page of the playground: settings are in the address, points in `stream`, and each forest in WebAssembly.
import init, { Playground, example, example_names } from "./forest_playground.js";

const SIDE = 64; // Cells of a picture in each direction; the browser smooths between them.
const COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#d55e00"];
const NUMBERS = [[68, 1, 84], [33, 145, 140], [253, 231, 37]];
const ALGORITHMS = ["residual-forest", "residual-forest:recent=40/400", "adaptive", "dynamic-extra-trees:recheck=0", "mondrian", "amf", "obsp", "urtf", "boundary-forest",
  "stream-rf"];
const DEFAULTS = { data: "gaussians", points: 500, trees: 10, speed: 100, seed: 0, class: 0, reversed: false, left: "residual-forest", right: "dynamic-extra-trees:recheck=0" };

const $ = (id) => document.getElementById(id);
const chosen = { ...DEFAULTS };
let stream = []; // { x, y, target, forgotten }
let learned = 0;
let playing = true;
let carry = 0; // The part of a point that is due.

/** One forest with its picture. */
class Forest {
  constructor(key, parent) {
    this.key = key;
    const section = document.createElement("section");
    section.className = "forest";
    section.innerHTML = `<label>Algorithm <select></select><input type="text" spellcheck="false" autocomplete="off" aria-label="Another algorithm"></label><p role="status"></p>
      <canvas width="640" height="640" tabindex="0" aria-label="Predictions of the forest, the points, and the cuts of one tree"></canvas>
      <label class="cuts"><span>Cuts of tree <output></output></span> <input type="range" min="0" value="0"></label>`;
    parent.append(section);
    [this.name, this.tree] = section.querySelectorAll("input");
    this.canvas = section.querySelector("canvas");
    this.shown = section.querySelector("output");
    this.status = section.querySelector("p");
    this.small = new OffscreenCanvas(SIDE, SIDE);
    this.list = section.querySelector("select");
    this.list.append(...ALGORITHMS.map((name) => new Option(name)), new Option("another …", ""));
    this.list.addEventListener("change", () => {
      this.name.hidden = this.list.value !== "";
      if (this.name.hidden) { chosen[key] = this.list.value; changed(); } else this.name.focus();
    });
    this.cuts = section.querySelector(".cuts");
    this.name.addEventListener("change", () => { chosen[key] = this.name.value.trim(); changed(); });
    this.tree.addEventListener("input", () => this.draw());
    listen(this);
  }

  /** Begins again and learns the points so far. */
  restart() {
    this.order = chosen.reversed && this.key === "right" ? [...stream.keys()].reverse() : [...stream.keys()];
    this.taken = 0;
    this.arrivals = new Map();
    this.forest?.free();
    this.forest = undefined;
    this.name.value = chosen[this.key];
    this.name.hidden = ALGORITHMS.includes(chosen[this.key]);
    this.list.value = this.name.hidden ? chosen[this.key] : "";
    this.tree.max = chosen.trees - 1;
    this.tree.value = Math.min(this.tree.value, chosen.trees - 1);
    this.attempt(() => { this.forest = make(chosen[this.key]); });
    this.follow();
  }

  /** Learns up to as many points as have arrived. */
  follow() {
    const due = this.order.slice(this.taken, learned).filter((index) => !stream[index].forgotten);
    if (this.forest && due.length) this.attempt(() => {
      learn(this.forest, due);
      due.forEach((index) => this.arrivals.set(index, this.arrivals.size));
    });
    this.taken = Math.max(this.taken, Math.min(learned, this.order.length));
  }

  attempt(work) {
    this.message = "";
    this.status.className = "";
    try { work(); } catch (error) {
      this.status.className = "error";
      this.message = String(error).replace(/; available: .*/s, "");
    }
  }

  /** Forgets a point, and shows whether the forest now equals one that never had it. */
  forget(index) {
    const arrival = this.arrivals.get(index);
    if (!this.forest || arrival === undefined) return;
    this.attempt(() => {
      this.forest.forget(arrival);
      const other = make(chosen[this.key]);
      learn(other, this.order.slice(0, this.taken).filter((i) => !stream[i].forgotten));
      const [a, b] = [this.forest, other].map((forest) => forest.predictions(SIDE));
      other.free();
      const same = a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
      const apart = a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
      this.message = same ? "forgotten: all predictions equal those of a forest that never had the point, bit for bit"
        : `forgotten: predictions differ by up to ${apart.toPrecision(2)} from those of a forest that never had the point`;
    });
  }

  draw() {
    const context = this.canvas.getContext("2d");
    const size = this.canvas.width;
    context.clearRect(0, 0, size, size);
    this.shown.value = this.tree.value;
    if (!this.forest) { this.status.textContent = this.message; return; }
    const pixels = new ImageData(new Uint8ClampedArray(this.forest.image(SIDE)), SIDE, SIDE);
    this.small.getContext("2d").putImageData(pixels, 0, 0);
    context.globalAlpha = 0.75;
    context.drawImage(this.small, 0, 0, size, size);
    context.globalAlpha = 1;
    context.strokeStyle = "rgba(0, 0, 0, .55)";
    context.lineWidth = 1.5;
    context.beginPath();
    const cuts = this.forest.cuts(Number(this.tree.value));
    this.cuts.hidden = learned > 50 && cuts.length === 0;
    for (let i = 0; i < cuts.length; i += 4) {
      context.moveTo(cuts[i] * size, (1 - cuts[i + 1]) * size);
      context.lineTo(cuts[i + 2] * size, (1 - cuts[i + 3]) * size);
    }
    context.stroke();
    context.strokeStyle = "#fff";
    for (const index of this.order.slice(0, this.taken)) {
      const { x, y, target, forgotten } = stream[index];
      if (forgotten) continue;
      context.fillStyle = isNumbers() ? colourOf(target) : COLOURS[target % 4];
      context.beginPath();
      context.arc(x * size, (1 - y) * size, 5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
    this.status.textContent = this.message || `${isNumbers() ? "mean absolute error" : "accuracy"} on points before they were learned: ${
      isNumbers() ? (1 - this.forest.score()).toFixed(3) : `${(100 * this.forest.score()).toFixed(1)} %`} · ${this.forest.nodes()} nodes`;
  }
}

/** The colour of a number from 0 to 1: that of the picture (colour.rs). */
function colourOf(number) {
  const place = Math.min(1, Math.max(0, number)) * (NUMBERS.length - 1);
  const low = Math.min(Math.trunc(place), NUMBERS.length - 2);
  return `rgb(${NUMBERS[low].map((channel, i) => Math.round(channel + (place - low) * (NUMBERS[low + 1][i] - channel)))})`;
}

const isNumbers = () => chosen.data === "surface";
const make = (algorithm) => new Playground(algorithm, isNumbers() ? "numbers" : "classes", chosen.trees, chosen.seed);

function learn(forest, indices) {
  forest.learn(Float32Array.from(indices.flatMap((i) => [stream[i].x, stream[i].y])), Float64Array.from(indices, (i) => stream[i].target));
}

let forests = [];

/** Draws the stream again, and begins. */
function changed() {
  const triples = example(chosen.data, chosen.points, chosen.seed);
  stream = Array.from({ length: triples.length / 3 }, (_, i) => ({ x: triples[3 * i], y: triples[3 * i + 1], target: triples[3 * i + 2] }));
  learned = Math.min(learned, stream.length);
  restart();
  const own = Object.entries(chosen).filter(([key, value]) => value !== DEFAULTS[key]);
  history.replaceState(null, "", own.length ? `#${new URLSearchParams(own)}` : location.pathname);
}

function restart() {
  forests.forEach((forest) => forest.restart());
  show();
}

function advance(count) {
  learned = Math.min(stream.length, learned + count);
  forests.forEach((forest) => forest.follow());
  show();
}

function show() {
  for (const key of ["points", "trees", "speed"]) { $(key).value = chosen[key]; $(`${key}-value`).value = chosen[key]; }
  for (const key of ["data", "seed", "class"]) $(key).value = chosen[key];
  $("reversed").checked = chosen.reversed;
  $("scrub").max = stream.length;
  $("scrub").value = learned;
  $("scrub-value").value = `${learned} / ${stream.length}`;
  $("play").textContent = learned === stream.length ? "Again" : playing ? "Pause" : "Play";
  forests.forEach((forest) => forest.draw());
}

/** The place of a pointer in the unit square. */
function place(event, canvas) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height];
}

/** The learned point nearest to a place, if it is near. */
function nearest([x, y]) {
  let best, least = 0.03 ** 2;
  stream.forEach((point, index) => {
    const square = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (!point.forgotten && square < least && forests.some((forest) => forest.arrivals.has(index))) [best, least] = [index, square];
  });
  return best;
}

function forgetAt(at) {
  const index = nearest(at);
  if (index === undefined) { $("note").textContent = "There is no learned point here."; return; }
  playing = false;
  stream[index].forgotten = true;
  $("note").textContent = "";
  forests.forEach((forest) => forest.forget(index));
  show();
}

/** A point that a click adds is the next to arrive. */
function add([x, y]) {
  if (isNumbers()) { $("note").textContent = "Points cannot be added to the surface; choose data with classes."; return; }
  stream.splice(learned, 0, { x, y, target: Number(chosen.class) });
  learned += 1;
  restart();
}

function listen(forest) {
  let held, at;
  const { canvas } = forest;
  canvas.addEventListener("pointerdown", (event) => {
    at = place(event, canvas);
    if (event.pointerType === "touch") held = setTimeout(() => { held = undefined; at = undefined; forgetAt(place(event, canvas)); }, 600);
  });
  canvas.addEventListener("pointerup", (event) => {
    clearTimeout(held);
    if (event.button === 0 && at) add(place(event, canvas));
    at = undefined;
  });
  canvas.addEventListener("contextmenu", (event) => { event.preventDefault(); if (event.pointerType !== "touch") forgetAt(place(event, canvas)); });
  canvas.addEventListener("pointermove", (event) => { forest.over = place(event, canvas); });
  canvas.addEventListener("keydown", (event) => { if (event.key === "f" && forest.over) forgetAt(forest.over); });
}

/** A choice that begins the stream again. */
function choice(key, value) {
  $(key).addEventListener($(key).type === "range" ? "input" : "change", () => { chosen[key] = value($(key)); changed(); });
}

function controls() {
  $("data").append(...example_names().map((name) => new Option(name)));
  choice("data", (field) => field.value);
  choice("points", (field) => Number(field.value));
  choice("trees", (field) => Number(field.value));
  choice("speed", (field) => Number(field.value));
  choice("seed", (field) => Math.min(2 ** 32 - 1, Math.max(0, Math.trunc(Number(field.value)) || 0)));
  choice("reversed", (field) => field.checked);
  $("class").addEventListener("change", () => { chosen.class = Number($("class").value); });
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("play").addEventListener("click", () => { if (learned === stream.length) { learned = 0; playing = true; restart(); } else { playing = !playing; show(); } });
  $("step").addEventListener("click", () => { playing = false; advance(1); });
  $("scrub").addEventListener("input", () => { playing = false; const to = Number($("scrub").value); if (to < learned) { learned = to; restart(); } else advance(to - learned); });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, button, summary")) return;
    if (event.key === " ") { event.preventDefault(); $("play").click(); }
    if (event.key === "ArrowRight") { event.preventDefault(); $("step").click(); }
  });
}

/** Takes what was chosen from the address. */
function read() {
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(key in DEFAULTS)) continue;
    const kind = typeof DEFAULTS[key];
    chosen[key] = kind === "number" ? Number(text) || 0 : kind === "boolean" ? text === "true" : text;
  }
  for (const key of ["points", "trees", "speed"]) chosen[key] = Math.min($(key).max, Math.max($(key).min, chosen[key] || DEFAULTS[key]));
  if (!example_names().includes(chosen.data)) {
    $("note").textContent = `There is no data set "${chosen.data}"; this is "${DEFAULTS.data}".`;
    chosen.data = DEFAULTS.data;
  }
}

/** Learns the points that are due since the last picture. */
function frame(now, before) {
  if (playing && learned < stream.length) {
    carry += Math.min(0.25, (now - before) / 1000) * chosen.speed;
    const due = Math.floor(carry);
    carry -= due;
    if (due) advance(due);
  }
  requestAnimationFrame((next) => frame(next, now));
}

// At the root of a host the playground is all there is.
$("home").hidden = new URL(".", location).pathname === "/";
await init();
read();
controls();
forests = ["left", "right"].map((key) => new Forest(key, $("forests")));
changed();
// What the tests of the page look at (test.html).
window.playground = { forests, chosen, advance, add, forgetAt, restart, Playground, example, get learned() { return learned; }, get stream() { return stream; } };
requestAnimationFrame((now) => frame(now, now));
