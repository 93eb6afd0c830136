//! The allocator.
#![allow(unsafe_code)] // mimalloc is C code.

use mimalloc as _;
use std::ffi::{c_int, c_long};

unsafe extern "C" {
    /// mimalloc: sets an option.
    safe fn mi_option_set(setting: c_int, value: c_long);
}

/// mimalloc's `mi_option_purge_delay`: milliseconds before a free page is returned to the operating system.
const PURGE_DELAY: c_int = 15;

/// mimalloc's `mi_option_generic_collect`: a thread collects what others have freed of its memory after so many allocations that find no free block
/// at hand.
const GENERIC_COLLECT: c_int = 34;

/// A hundredth of mimalloc's own. A connection is seldom freed by the thread that allocated it, and a gate that is idle allocates too little to collect
/// by 10,000.
const ALLOCATIONS: c_long = 100;

/// Returns free pages to the operating system at once, so that thousands of idle connections cost little once they have ended. Call before any
/// thread starts.
pub fn return_free_pages_at_once() {
    mi_option_set(PURGE_DELAY, 0);
    mi_option_set(GENERIC_COLLECT, ALLOCATIONS);
}
