//! The threads that wait for the database. One for each connection serves all workers and jobs: with the pools of tokio's runtimes there would be
//! thirty under load, each with a stack and an allocator's heap of its own.
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Shorter than the pause of any job: work goes to the thread that has waited longest, so the jobs of an idle server would keep all of them.
const KEEP_ALIVE: Duration = Duration::from_millis(200);

pub struct Threads(Option<Runtime>);

impl Threads {
    /// At most this many; they are started when needed, and end when idle.
    pub fn start(count: u32) -> std::io::Result<Threads> {
        // No task is polled here: only the runtime's blocking threads are used.
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(count as usize)
            .thread_keep_alive(KEEP_ALIVE)
            .thread_name("database")
            .build()?;
        Ok(Threads(Some(runtime)))
    }

    /// Panics are returned as errors.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        let runtime = self.0.as_ref().expect("it is taken only on drop");
        runtime.spawn_blocking(work)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Without waiting, which tokio forbids within another runtime. Work that is queued holds the database, and so these threads.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
