//! Memory that is free goes back to the system. By itself the allocator gives it back only while large pieces come and go, so that a server
//! which has become idle would keep what its busiest minute took.
#![allow(unsafe_code)] // The allocator is written in C.

use mimalloc as _;
use std::ffi::{c_int, c_long};

unsafe extern "C" {
    /// mimalloc's: gives back what has been free for a second, or with `force` all that is free.
    safe fn mi_collect(force: bool);

    /// mimalloc's settings.
    safe fn mi_option_set(setting: c_int, value: c_long);
}

/// mimalloc's `mi_option_purge_delay`: for how many milliseconds a free page is kept before it goes back to the system.
const PURGE_DELAY: c_int = 15;

#[cfg(target_env = "gnu")]
unsafe extern "C" {
    /// glibc's: gives back what is free in the arenas of all threads. The clients of the databases, which are written in C, take from them.
    safe fn malloc_trim(pad: usize) -> c_int;

    /// glibc's settings.
    safe fn mallopt(setting: c_int, value: c_int) -> c_int;
}

/// glibc's `M_ARENA_MAX` and `M_MMAP_THRESHOLD`.
#[cfg(target_env = "gnu")]
const ARENAS: c_int = -8;
#[cfg(target_env = "gnu")]
const MAPPED_FROM: c_int = -3;

/// A page that is free goes back to the system at once: after a large report of usage that is 30 MB less, and no call is measurably slower.
///
/// For the clients of the databases: two arenas for all threads instead of eight per processor, each with holes of its own; and large
/// texts and answers in a mapping of their own, which goes back to the system with them. By itself glibc ends that after the first.
/// Called before threads begin.
pub fn set_limits() {
    mi_option_set(PURGE_DELAY, 0);
    #[cfg(target_env = "gnu")]
    {
        mallopt(ARENAS, 2);
        mallopt(MAPPED_FROM, 128 * 1024);
    }
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
