//! All tests in one program, which compiles what they share once.

mod aggregation;
mod ahead;
mod blocks;
mod bound;
mod branching;
mod checks;
mod contract;
mod cuts;
mod deep;
mod explain;
mod forgetting;
mod hierarchical;
mod law;
mod leaves;
mod path_mixing;
mod shards;
