//! The loops of the CPU engine, compiled for the CPU's widest instructions and chosen at run
//! time.
//!
//! Every output number is summed in an order that depends on nothing but its own inputs'
//! length. So a token gives the same bits alone and in a batch, over a whole head and over
//! some of its rows, and on any number of threads.
//!
//! * [`dense`]: f32, by `pulp`, all of it safe code;
//! * [`tile`]: what a packed matrix looks like in memory, its portable product, and which
//!   product a CPU gets;
//! * `x86`: the products for AVX2 and AVX-512 VNNI. The only `unsafe` of the room.

pub(super) mod dense;
pub(super) mod quantize;
pub(super) mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;
