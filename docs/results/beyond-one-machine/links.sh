#!/usr/bin/env bash
# Two network namespaces as hosts: a link that is down for 4 s heals, one that stays down ends both processes.
# As root, with iproute2: PROGRAM=target/release/online-forests docs/results/beyond-one-machine/links.sh
set -eu
program=$(realpath "${PROGRAM:-target/release/online-forests}")
folder=$(mktemp -d)
cd "$folder"
trap 'ip netns del forest0; ip netns del forest1; rm -rf "$folder"' EXIT
ip netns add forest0
ip netns add forest1
ip link add veth0 netns forest0 type veth peer name veth1 netns forest1
for host in 0 1; do
  ip -n forest$host address add 10.77.0.$((host + 1))/24 dev veth$host
  ip -n forest$host link set veth$host up
done
printf '10.77.0.1:2101\n10.77.0.2:2101\n' > hosts.txt
awk 'BEGIN {srand(1); print "a,b,c,y"; for (i = 0; i < 60000; i++) {a = rand(); b = rand(); c = rand(); print a "," b "," c "," a * b + c}}' > data.csv
train="$program train --data data.csv --target y --algorithm amf --trees 30 --threads 1 --model m --progress-within ${WITHIN:-6s}"
$train --processes 1 --checkpoint-dir whole --predictions whole.csv
mv m whole.model

run() { # how long the link is down, in seconds
  for host in 0 1; do
    ip netns exec forest$host $train --hosts hosts.txt --process $host --checkpoint-dir c --predictions a.csv & pids[$host]=$!
  done
  sleep 1.5
  ip -n forest0 link set veth0 down
  started=$(date +%s.%N)
  (sleep "$1"; ip -n forest0 link set veth0 up) & up=$!
  codes=""
  for host in 0 1; do
    code=0; wait "${pids[$host]}" || code=$?
    codes="$codes $code"
  done
  echo "down for $1 s: exit codes$codes, $(echo "$(date +%s.%N) - $started" | bc) s after the link went down"
  kill "$up" 2>/dev/null || true
  ip -n forest0 link set veth0 up
}

run 4
$program join c --model joined
cmp joined whole.model && cmp a.csv whole.csv && echo "the same model and the same answers"
rm -rf c a.csv
run 60
