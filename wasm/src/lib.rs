//! The wasm face of core: each export is one call into it.
