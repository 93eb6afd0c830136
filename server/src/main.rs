//! The `postern` binary.
fn main() {}
