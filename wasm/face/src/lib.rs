//! Conversion of values and errors between Rust and JavaScript, shared by the package's wasm files.
pub mod errors;
pub mod forms;
mod js;
pub mod values;

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
