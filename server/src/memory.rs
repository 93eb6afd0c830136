//! Memory that is free goes back to the system. By itself the allocator gives it back only while large pieces come and go, so that a server
//! which has become idle would keep what its busiest minute took.
#![allow(unsafe_code)] // The allocator is written in C.

use mimalloc as _;

unsafe extern "C" {
    /// mimalloc's: gives back what has been free for a second, or with `force` all that is free.
    safe fn mi_collect(force: bool);
}

#[cfg(target_env = "gnu")]
unsafe extern "C" {
    /// glibc's: gives back what is free in the arenas of all threads. The clients of the databases, which are written in C, take from them.
    safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
}

/// Gives back all that is free of what this thread took, and of what was taken in C: after work that takes much, and comes on another thread the next time.
pub fn release_memory_of_thread() {
    mi_collect(true);
    trim();
}

/// Gives back what has been free for a while.
pub fn release_free_memory() {
    mi_collect(false);
    trim();
}

fn trim() {
    #[cfg(target_env = "gnu")]
    malloc_trim(0);
}
