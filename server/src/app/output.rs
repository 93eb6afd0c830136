//! Standard output of commands.
#![allow(unsafe_code)] // The reaction to a signal is set by a C function.
use std::ffi::c_int;

const SIGPIPE: c_int = 13;
const SIG_DFL: usize = 0;

unsafe extern "C" {
    fn signal(number: c_int, reaction: usize) -> usize;
}

/// Ends the process quietly when nobody reads its output any more, as in `postern coupon list | head`; Rust's default is an error for each write.
/// Not for the server: it may outlive the terminal that started it.
pub fn end_with_its_reader() {
    // SAFETY: called at start, with the default reaction, which no code of ours handles.
    unsafe { signal(SIGPIPE, SIG_DFL) };
}
