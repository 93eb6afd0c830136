//! State of the webhook sender: the client, and the number of webhooks being delivered to.
use crate::outbound::guard::Guard;
use crate::outbound::send::Sender;
use postern_core::webhook_delivery::TIMEOUT_SECONDS;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum webhooks that one process delivers to at the same time.
const MOST: usize = 128;

/// The webhook sender of a process.
pub struct WebhookSender {
    pub sender: Sender,
    /// One permit per webhook being delivered to.
    permits: Arc<Semaphore>,
}

impl WebhookSender {
    pub fn new(test_hosts: &[String]) -> anyhow::Result<WebhookSender> {
        Ok(WebhookSender { sender: Sender::new(Guard::new(test_hosts))?, permits: Arc::new(Semaphore::new(MOST)) })
    }

    pub fn has_room(&self) -> bool {
        self.permits.available_permits() > 0
    }

    /// Takes all free permits: one for each webhook that can be started.
    pub fn room(&self) -> Vec<OwnedSemaphorePermit> {
        std::iter::from_fn(|| self.permits.clone().try_acquire_owned().ok()).collect()
    }

    /// Waits until no delivery is in flight; false if that takes longer.
    pub async fn is_idle_within(&self, longest: Duration) -> bool {
        tokio::time::timeout(longest, self.permits.acquire_many(MOST as u32)).await.is_ok()
    }

    /// Waits for deliveries in flight to complete, at shutdown.
    pub async fn finish(&self) {
        if !self.is_idle_within(Duration::from_secs(TIMEOUT_SECONDS + 5)).await {
            tracing::warn!("webhook deliveries were interrupted; they will be retried");
        }
    }
}
