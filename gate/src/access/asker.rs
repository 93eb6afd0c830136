//! Asks the shop: one request at a time, with all the questions that came up during the one before.
use crate::access::entry::Entry;
use crate::health::Health;
use crate::shop::{Shop, ShopError};
use postern_core::proxy_protocol::{Connection, MAX_CONNECTIONS};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Questions that wait for the request before.
const MAX_WAITING: usize = 20_000;

/// Whether the shop answered; the answer itself is in the entry.
pub type Outcome = Result<(), NoAnswer>;

/// The shop is away, or does not know this server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NoAnswer;

struct Question {
    entry: Arc<Entry>,
    answered: oneshot::Sender<Outcome>,
}

#[derive(Clone)]
pub struct Asker(mpsc::Sender<Question>);

impl Asker {
    /// Starts asking; ends when the asker is dropped.
    pub fn start(shop: Arc<Shop>, health: Arc<Health>) -> Asker {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        tokio::spawn(ask_all(shop, health, receiver));
        Asker(sender)
    }

    /// Asks about an identity, and waits for the answer.
    pub async fn ask(&self, entry: Arc<Entry>) -> Outcome {
        self.send(entry).await?.await.map_err(|_| NoAnswer)?
    }

    /// Asks about many identities, and waits for all answers.
    pub async fn ask_all(&self, entries: Vec<Arc<Entry>>) {
        for some in entries.chunks(MAX_CONNECTIONS) {
            let mut waiting = Vec::with_capacity(some.len());
            for entry in some {
                waiting.extend(self.send(entry.clone()).await.ok());
            }
            for answer in waiting {
                // Who asks for many looks at the entries.
                let _ = answer.await;
            }
        }
    }

    async fn send(&self, entry: Arc<Entry>) -> Result<oneshot::Receiver<Outcome>, NoAnswer> {
        let (answered, answer) = oneshot::channel();
        self.0.send(Question { entry, answered }).await.map_err(|_| NoAnswer)?;
        Ok(answer)
    }
}

async fn ask_all(shop: Arc<Shop>, health: Arc<Health>, mut waiting: mpsc::Receiver<Question>) {
    let mut questions = Vec::new();
    while waiting.recv_many(&mut questions, MAX_CONNECTIONS).await > 0 {
        let outcome = ask_once(&shop, &health, &questions).await;
        for question in questions.drain(..) {
            // The client may have gone.
            let _ = question.answered.send(outcome);
        }
    }
}

async fn ask_once(shop: &Shop, health: &Health, questions: &[Question]) -> Outcome {
    // Several connections of one identity are one question.
    let entries: HashMap<*const Entry, &Arc<Entry>> =
        questions.iter().map(|question| (Arc::as_ptr(&question.entry), &question.entry)).collect();
    let entries: Vec<&Arc<Entry>> = entries.into_values().collect();
    let connections: Vec<Connection> = entries.iter().map(|entry| entry.identity.question()).collect();
    match shop.authorize(connections).await {
        Ok(answers) => {
            health.note_answer();
            entries.iter().zip(answers).for_each(|(entry, answer)| entry.hear(answer));
            Ok(())
        }
        Err(error) => {
            health.note_failure(&error);
            if matches!(error, ShopError::Unregistered) {
                entries.iter().for_each(|entry| entry.forget("unregistered"));
            }
            Err(NoAnswer)
        }
    }
}
