//! The `postern` binary.
fn main() -> anyhow::Result<()> {
    postern_server::cli::run()
}
