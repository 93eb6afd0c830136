//! The `postern` binary.

/// Gives memory back to the system: glibc's keeps what sixteen people who signed in at once have needed.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    postern_server::cli::run()
}
