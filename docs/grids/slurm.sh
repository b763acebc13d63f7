#!/bin/sh
#SBATCH --job-name=grid
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
# A comparison in as many parts as the array has jobs: after `cargo build --release -p xtask`, in the workspace's folder on a shared disk,
#   grid=$(sbatch --parsable docs/grids/slurm.sh)
#   sbatch --dependency=afterok:$grid --wrap 'target/release/xtask compare --report-from parts/*/runs.jsonl --out all'
set -eu
target/release/xtask compare --data friedman --seeds 10 --threads 1 --resume \
  --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "parts/$SLURM_ARRAY_TASK_ID"
