#!/usr/bin/env bash
# Builds the playground into target/playground, and checks that its predictions are the native ones, bit for bit.
# Installs the target wasm32-unknown-unknown and the program wasm-bindgen if they are missing; compares predictions if there is node.
set -eu
cd "$(dirname "$0")"
root=$(cd ../../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
version=$(sed -n 's/^wasm-bindgen = "=\(.*\)"/\1/p' "$root/Cargo.toml")

rustup target add wasm32-unknown-unknown 2>/dev/null || true
[ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $version" ] || cargo install wasm-bindgen-cli --version "$version" --debug --quiet

cargo build --profile browser --target wasm32-unknown-unknown --package forest-playground
mkdir -p "$target/playground"
# Names of functions and producers are a quarter of the file.
wasm-bindgen --target web --no-typescript --remove-name-section --remove-producers-section --out-dir "$target/playground" \
  "$target/wasm32-unknown-unknown/browser/forest_playground.wasm"
cp page/index.html page/style.css page/main.js "$target/playground"

if command -v node >/dev/null; then
  diff <(cargo run --quiet --package forest-playground --example predictions) <(node page/check.mjs "$target/playground")
  echo "the predictions in WebAssembly are the native ones, bit for bit"
else
  echo "there is no node here: predictions in WebAssembly are not compared with native ones"
fi
echo "$target/playground: $(gzip -c "$target/playground/forest_playground_bg.wasm" | wc -c) bytes of WebAssembly compressed"
