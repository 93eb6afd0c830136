//! The open streams and uploads of this process. A stream only signals that there are changes, so a slow client cannot fall behind. Each process
//! polls the database once a second for all its streams, so messages may be written by any process.
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::{accounts, sessions, support_conversations, users};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::AccountState;
use postern_core::calls;
use postern_core::permission::Level;
use postern_core::staff::StaffRole;
use postern_core::support::attachment::{MAX_UPLOADS, UPLOADS_PER_ACCOUNT};
use postern_core::support::{MAX_STREAMS, STREAMS_PER_ACCOUNT, Side};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Each poll includes changes from this long before the previous one: a transaction may be committed this long after its timestamp, and the clocks of
/// servers differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(60);

/// How often sessions are checked: a revoked one gets no more updates.
const SESSIONS_EVERY: TimeDelta = TimeDelta::seconds(3);

const CHUNK: usize = 500;

/// The conversation's id and version after a change, for the streams of this process.
#[derive(Clone, Copy, Debug)]
pub struct Changed {
    pub conversation_id: i64,
    pub account_id: i64,
    pub version: i64,
}

/// The state signalled to a stream.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct StreamState {
    pub changes: u64,
    pub is_over: bool,
}

struct Open {
    account_id: i64,
    session_id: i64,
    side: Side,
    sender: watch::Sender<StreamState>,
}

#[derive(Default)]
struct Inner {
    next: u64,
    open: HashMap<u64, Open>,
    uploads: HashMap<i64, usize>,
    /// The latest signalled version of recently changed conversations.
    signalled: HashMap<i64, i64>,
}

#[derive(Default)]
struct PollState {
    last: Option<NaiveDateTime>,
    sessions: Option<NaiveDateTime>,
}

/// The open streams and uploads of this process.
#[derive(Default)]
pub struct Streams {
    inner: Mutex<Inner>,
    /// One poll at a time.
    polling: tokio::sync::Mutex<PollState>,
}

/// A slot of a stream, freed when its client disconnects.
pub struct StreamSlot {
    streams: Arc<Streams>,
    number: u64,
    pub news: watch::Receiver<StreamState>,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.streams.lock().open.remove(&self.number);
    }
}

/// A slot of an upload, freed when its file is stored or refused.
pub struct UploadSlot {
    streams: Arc<Streams>,
    account_id: i64,
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        let mut inner = self.streams.lock();
        if let Some(count) = inner.uploads.get_mut(&self.account_id) {
            *count -= 1;
            if *count == 0 {
                inner.uploads.remove(&self.account_id);
            }
        }
    }
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for an upload; `None` at the limit.
    pub fn begin_upload(self: &Arc<Self>, account_id: i64) -> Option<UploadSlot> {
        let mut inner = self.lock();
        let (all, own) = (inner.uploads.values().sum::<usize>(), inner.uploads.get(&account_id).copied().unwrap_or(0));
        if all >= MAX_UPLOADS || own >= UPLOADS_PER_ACCOUNT {
            return None;
        }
        inner.uploads.insert(account_id, own + 1);
        Some(UploadSlot { streams: self.clone(), account_id })
    }

    /// A slot for a stream; `None` at the limit.
    pub fn open(self: &Arc<Self>, account_id: i64, session_id: i64, side: Side) -> Option<StreamSlot> {
        let mut inner = self.lock();
        let own = inner.open.values().filter(|open| open.account_id == account_id).count();
        if inner.open.len() >= MAX_STREAMS || own >= STREAMS_PER_ACCOUNT {
            return None;
        }
        let (sender, news) = watch::channel(StreamState::default());
        inner.next += 1;
        let number = inner.next;
        inner.open.insert(number, Open { account_id, session_id, side, sender });
        Some(StreamSlot { streams: self.clone(), number, news })
    }

    /// Signals a change made by this process.
    pub fn signal(&self, changed: Changed) {
        let mut inner = self.lock();
        if !inner.open.is_empty() {
            inner.note(&[changed]);
        }
    }

    /// Polls for changes, and checks the sessions of the streams.
    pub async fn refresh(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let mut state = self.polling.lock().await;
        if self.lock().open.is_empty() {
            self.lock().signalled.clear();
            *state = PollState::default();
            return Ok(());
        }
        let since = state.last.unwrap_or(now) - OVERLAP;
        let changed = db.read(move |conn| changes(conn, since)).await?;
        let recent: HashSet<i64> = changed.iter().map(|changed| changed.conversation_id).collect();
        {
            let mut inner = self.lock();
            inner.note(&changed);
            inner.signalled.retain(|id, _| recent.contains(id));
        }
        state.last = Some(now);
        if state.sessions.is_none_or(|checked_at| now - checked_at >= SESSIONS_EVERY) {
            state.sessions = Some(now);
            self.end_refused(db, now).await?;
        }
        Ok(())
    }

    /// Ends the streams whose session has ended or lost the right to them.
    async fn end_refused(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let ids: Vec<i64> = self.lock().open.values().map(|open| open.session_id).collect();
        let allowed = db.read(move |conn| allowed_sessions(conn, &ids, now)).await?;
        for open in self.lock().open.values() {
            if !allowed.contains(&(open.session_id, open.side)) {
                open.sender.send_modify(|state| state.is_over = true);
            }
        }
        Ok(())
    }

    /// Ends all streams, when the server stops.
    pub fn end(&self) {
        for open in self.lock().open.values() {
            open.sender.send_modify(|state| state.is_over = true);
        }
    }
}

impl Inner {
    /// Signals changes to the streams, once per version.
    fn note(&mut self, changed: &[Changed]) {
        let signalled = &mut self.signalled;
        let is_new = |one: &&Changed| signalled.insert(one.conversation_id, one.version) != Some(one.version);
        let accounts: HashSet<i64> = changed.iter().filter(is_new).map(|one| one.account_id).collect();
        if accounts.is_empty() {
            return;
        }
        for open in self.open.values() {
            if open.side == Side::Operator || accounts.contains(&open.account_id) {
                open.sender.send_modify(|state| state.changes += 1);
            }
        }
    }
}

/// Conversations that changed since this time.
fn changes(conn: &mut Conn, since: NaiveDateTime) -> Result<Vec<Changed>, AppError> {
    use support_conversations::dsl;
    let rows: Vec<(i64, i64, i64)> = dsl::support_conversations
        .filter(dsl::changed_at.gt(since))
        .select((dsl::id, dsl::account_id, dsl::version))
        .load(conn)?;
    let changed = |(conversation_id, account_id, version)| Changed { conversation_id, account_id, version };
    Ok(rows.into_iter().map(changed).collect())
}

/// Which of these sessions may stream which side.
fn allowed_sessions(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<HashSet<(i64, Side)>, AppError> {
    let mut allowed = HashSet::new();
    for ids in ids.chunks(CHUNK) {
        let rows: Vec<(i64, Level, StaffRole, AccountState)> = sessions::table
            .inner_join(users::table.on(users::id.eq(sessions::user_id)))
            .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
            .filter(sessions::id.eq_any(ids))
            .filter(sessions::revoked_at.is_null())
            .filter(sessions::expires_at.gt(now))
            .select((sessions::id, accounts::level, accounts::staff_role, accounts::state))
            .load(conn)?;
        for (session_id, level, role, state) in rows {
            for side in Side::ALL {
                let call = calls::find(call_of(*side));
                if call.is_some_and(|call| call.is_open_to(level, role, state != AccountState::Active)) {
                    allowed.insert((session_id, *side));
                }
            }
        }
    }
    Ok(allowed)
}

fn call_of(side: Side) -> &'static str {
    match side {
        Side::Customer => "Support/WaitForMessages",
        Side::Operator => "Operator/WaitForConversations",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(conversation_id: i64, version: i64) -> Changed {
        Changed { conversation_id, account_id: conversation_id, version }
    }

    #[test]
    fn streams_are_limited_per_account_and_in_total_and_freed() {
        let streams = Arc::new(Streams::default());
        let mut own: Vec<StreamSlot> =
            (0..STREAMS_PER_ACCOUNT).map(|_| streams.open(1, 1, Side::Customer).expect("a slot")).collect();
        assert!(streams.open(1, 2, Side::Customer).is_none() && streams.open(2, 3, Side::Customer).is_some());
        own.pop();
        assert!(streams.open(1, 2, Side::Customer).is_some());
        drop(own);
        assert!(streams.lock().open.is_empty());
        let all: Vec<StreamSlot> =
            (0..MAX_STREAMS as i64).filter_map(|account| streams.open(account, 1, Side::Customer)).collect();
        assert!(all.len() == MAX_STREAMS && streams.open(-1, 1, Side::Operator).is_none());
    }

    #[test]
    fn uploads_are_limited_per_account_and_in_total() {
        let streams = Arc::new(Streams::default());
        let own: Vec<_> = (0..UPLOADS_PER_ACCOUNT).filter_map(|_| streams.begin_upload(1)).collect();
        assert!(own.len() == UPLOADS_PER_ACCOUNT && streams.begin_upload(1).is_none());
        let others: Vec<_> = (2..100).filter_map(|account| streams.begin_upload(account)).collect();
        assert_eq!(own.len() + others.len(), MAX_UPLOADS);
        drop((own, others));
        assert!(streams.lock().uploads.is_empty());
    }

    #[test]
    fn a_change_is_signalled_once_to_its_account_and_to_operators() {
        let streams = Arc::new(Streams::default());
        let (own, other) =
            (streams.open(1, 1, Side::Customer).expect("a slot"), streams.open(2, 2, Side::Customer).expect("a slot"));
        let operator = streams.open(3, 3, Side::Operator).expect("a slot");
        let changes = |slot: &StreamSlot| slot.news.borrow().changes;
        streams.signal(changed(1, 1));
        streams.lock().note(&[changed(1, 1)]);
        assert_eq!((changes(&own), changes(&other), changes(&operator)), (1, 0, 1));
        streams.lock().note(&[changed(1, 2), changed(2, 1)]);
        assert_eq!((changes(&own), changes(&other), changes(&operator)), (2, 1, 2));
        streams.end();
        assert!(own.news.borrow().is_over);
    }
}
