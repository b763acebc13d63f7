#!/usr/bin/env bash
# Seeds for the targets: the corpus of earlier runs, snapshots of all learners, their names, and small data files.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/snapshot corpus/algorithm corpus/data_file corpus/request
# What earlier runs found to reach new code, as small as libFuzzer makes it.
tar -C corpus -xzf corpus.tar.gz
(cd .. && SEEDS=$PWD/fuzz/corpus/snapshot cargo test -p online-forests --test all pinned)
cut -d ' ' -f 1 ../crates/online-forests/tests/pinned.txt | sort -u | while read -r name; do
  printf '%s' "$name" > "corpus/algorithm/${name//[^a-z0-9]/-}"
done
printf 'mondrian:budget=10,labels=aggregated' > corpus/algorithm/parameters
printf 'adaptive:members=mondrian@100@none+boundary-forest@all@minmax' > corpus/algorithm/lists
printf '\000a,b,y\n1,x,2\n3,"y, z",4\n' > corpus/data_file/csv
printf '\001@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,y\n' > corpus/data_file/arff
printf '\002+1 1:0.5 3:2\n-1 2:1e-3\n' > corpus/data_file/libsvm
printf '\001{"size": 1.5, "colour": "red", "when": null}' > corpus/request/object
printf '\001[{"size": 1e5}, {"sise": [1]}, 3]' > corpus/request/array
printf '\002{"size": "1"}\n{"size":\n\n{"colour": true}\n' > corpus/request/lines
printf '\003kind,when,colour,size\na,2026-01-01,red,1\n1,2\n' > corpus/request/csv
printf '\004' > corpus/data_file/packed
printf '1,2\n3,4\n' | gzip -n >> corpus/data_file/packed
{ printf '\005'; cat ../datasets/tests/fixtures/houses.parquet; } > corpus/data_file/parquet
