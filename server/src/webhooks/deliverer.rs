//! What a process needs to send to webhooks, and how many it is at.
use crate::webhooks::guard::Guard;
use crate::webhooks::send::Sender;
use postern_core::webhook_delivery::TIMEOUT_SECONDS;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Webhooks that one process is at, at the same time.
const MOST: usize = 128;

/// What a process needs to deliver, and what it is at.
pub struct Deliverer {
    pub sender: Sender,
    /// One permit for each webhook.
    permits: Arc<Semaphore>,
}

impl Deliverer {
    pub fn new(test_hosts: &[String]) -> anyhow::Result<Deliverer> {
        Ok(Deliverer { sender: Sender::new(Guard::new(test_hosts))?, permits: Arc::new(Semaphore::new(MOST)) })
    }

    pub fn has_room(&self) -> bool {
        self.permits.available_permits() > 0
    }

    /// All permits that are free: one for each webhook that can be begun.
    pub fn room(&self) -> Vec<OwnedSemaphorePermit> {
        std::iter::from_fn(|| self.permits.clone().try_acquire_owned().ok()).collect()
    }

    /// Waits until nothing is being sent; false if that takes longer.
    pub async fn is_idle_within(&self, longest: Duration) -> bool {
        tokio::time::timeout(longest, self.permits.acquire_many(MOST as u32)).await.is_ok()
    }

    /// Lets what is being sent come to its end.
    pub async fn finish(&self) {
        if !self.is_idle_within(Duration::from_secs(TIMEOUT_SECONDS + 5)).await {
            tracing::warn!("deliveries to webhooks were broken off; they are repeated");
        }
    }
}
