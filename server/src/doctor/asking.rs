//! Asks other servers, from commands and tests alike, and says why there was no answer.
use anyhow::Context;
use std::error::Error;
use std::future::Future;

/// Runs this on a thread of its own: a caller may be within a runtime, which must not be blocked.
pub fn wait_for<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> anyhow::Result<T> {
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        anyhow::Ok(runtime.block_on(work))
    });
    thread.join().map_err(|_| anyhow::anyhow!("the check panicked"))?.context("starting a runtime")
}

/// The first cause of an error, which says what happened: those around it say what was tried.
pub fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
