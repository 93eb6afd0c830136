//! Prints, for each group of rules, the digest of the native build's output for generated inputs; the wasm tests compare theirs with it.
//! `cargo run -p postern-vectors --example write_digests -- COUNT`
use postern_vectors::{GROUPS, digest};

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    for group in GROUPS {
        println!("{group} {:016x}", digest(group, 20_251_012, count));
    }
}
