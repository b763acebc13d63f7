// Prints a checksum of the bits of predictions for each algorithm, as `examples/predictions.rs` does: node check.mjs FOLDER
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { Playground, example, initSync } = await import(pathToFileURL(resolve(folder, "forest_playground.js")));
initSync({ module: await readFile(resolve(folder, "forest_playground_bg.wasm")) });
const algorithms = ["mondrian", "amf", "obsp", "urtf", "boundary-forest", "stream-rf", "dynamic-extra-trees:recheck=0", "residual-forest", "adaptive"];
for (const algorithm of algorithms) {
  for (const [name, task] of [["spirals", "classes"], ["surface", "numbers"]]) {
    let playground;
    try { playground = new Playground(algorithm, task, 5, 3); } catch { continue; }
    const triples = example(name, 300, 7);
    const points = Float32Array.from(triples.filter((_, place) => place % 3 < 2));
    playground.learn(points, triples.filter((_, place) => place % 3 === 2));
    const bits = new BigUint64Array(playground.predictions(20).buffer);
    const sum = bits.reduce((sum, bits) => BigInt.asUintN(64, sum * 31n + bits), 0n);
    console.log(`${algorithm} ${name} ${sum}`);
  }
}

// What a picture costs: ten trees of 500 points.
const playground = new Playground("mondrian", "classes", 10, 0);
const triples = example("moons", 500, 0);
playground.learn(Float32Array.from(triples.filter((_, place) => place % 3 < 2)), triples.filter((_, place) => place % 3 === 2));
const times = Array.from({ length: 40 }, () => { const start = performance.now(); playground.image(64); playground.cuts(0); return performance.now() - start; });
console.error(`a picture of ten trees of 500 points takes ${times.sort((a, b) => a - b)[20].toFixed(1)} ms`);
