//! The rules of Postern for the browser: each export is one call into core, typed in and typed out.
//!
//! What is not valid throws a `CoreError` with a `code` (such as `InvalidFields`) and, where fields are at fault, `fields`.
mod answers;
mod endpoints;
mod errors;
mod forms;
mod money;
mod networks;
mod orders;
mod permissions;
mod places;
mod products;
mod referrals;
mod refunds;
mod renewals;
mod states;
mod switches;
mod traffic;
mod values;

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
