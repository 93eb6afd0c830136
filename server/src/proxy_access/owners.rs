//! The owners of proxy users' names, in memory: usage reports name the same users again and again. Each use first looks for changes in the database,
//! so that a name is never counted for an earlier owner.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::proxy_access::OVERLAP;
use crate::schema::proxy_users;
use chrono::NaiveDateTime;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Names per query.
const CHUNK: usize = 1_000;

/// Maximum names; beyond it, all of them are dropped.
const MOST: usize = 50_000;

/// How long names are kept: rows of users that were deleted long ago are removed without a change that could be noticed.
const KEPT: Duration = Duration::from_secs(600);

/// Rows that were read longer ago than this are used, but not kept: changes since then may no longer be looked for.
const READ_RECENTLY: Duration = Duration::from_secs(30);

/// A proxy user that has had a name since its creation. A name may be used again after its user was deleted or renamed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NameOwner {
    pub id: i64,
    pub account_id: i64,
    pub begins_at: NaiveDateTime,
}

/// The owners of a name in the order of their creation, including deleted ones.
pub type Owned = Arc<[NameOwner]>;

#[derive(Default)]
pub struct NameOwners(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The time up to which changes have been looked for.
    checked_at: Option<NaiveDateTime>,
    /// When the first name was kept.
    filled_at: Option<Instant>,
    names: HashMap<Arc<str>, Owned>,
    /// The name under which each user is known: a renamed one has another in its row.
    name_of: HashMap<i64, Arc<str>>,
}

impl Known {
    fn forget(&mut self, id: i64, name: &str) {
        self.names.remove(name);
        if let Some(earlier) = self.name_of.remove(&id) {
            self.names.remove(&earlier);
        }
    }

    /// The time since which changes are to be looked for.
    fn since(&mut self, now: NaiveDateTime) -> NaiveDateTime {
        if self.filled_at.is_some_and(|filled| filled.elapsed() > KEPT) {
            *self = Known::default();
        }
        self.checked_at.map_or(now, |checked| checked.min(now)) - OVERLAP
    }

    fn keep(&mut self, name: &str, owners: &Owned) {
        if self.names.len() >= MOST {
            self.names.clear();
            self.name_of.clear();
        }
        self.filled_at.get_or_insert_with(Instant::now);
        let name: Arc<str> = name.into();
        self.name_of.extend(owners.iter().map(|owner| (owner.id, name.clone())));
        self.names.insert(name, owners.clone());
    }
}

impl NameOwners {
    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The owners of the names that have any, as of now.
    pub fn of(
        &self,
        conn: &mut Conn,
        names: BTreeSet<&str>,
        now: NaiveDateTime,
    ) -> Result<HashMap<String, Owned>, AppError> {
        let began = Instant::now();
        let since = self.lock().since(now);
        let changed: Vec<(i64, String)> = proxy_users::table
            .filter(proxy_users::changed_at.gt(since))
            .select((proxy_users::id, proxy_users::name))
            .load(conn)?;
        let (mut found, mut missing) = (HashMap::new(), Vec::new());
        {
            let mut known = self.lock();
            changed.iter().for_each(|(id, name)| known.forget(*id, name));
            known.checked_at = Some(now);
            for name in names {
                match known.names.get(name) {
                    Some(owners) => drop(found.insert(name.to_owned(), owners.clone())),
                    None => missing.push(name.to_owned()),
                }
            }
        }
        let read = read(conn, &missing)?;
        if began.elapsed() < READ_RECENTLY {
            let mut known = self.lock();
            read.iter().for_each(|(name, owners)| known.keep(name, owners));
        }
        found.extend(read);
        Ok(found)
    }
}

fn read(conn: &mut Conn, names: &[String]) -> Result<HashMap<String, Owned>, AppError> {
    let mut owners: HashMap<String, Vec<NameOwner>> = HashMap::new();
    for names in names.chunks(CHUNK) {
        let rows: Vec<(String, i64, i64, NaiveDateTime)> = proxy_users::table
            .filter(proxy_users::name.eq_any(names))
            .order((proxy_users::created_at, proxy_users::id))
            .select((proxy_users::name, proxy_users::id, proxy_users::account_id, proxy_users::created_at))
            .load(conn)?;
        for (name, id, account_id, begins_at) in rows {
            owners.entry(name).or_default().push(NameOwner { id, account_id, begins_at });
        }
    }
    Ok(owners.into_iter().map(|(name, owners)| (name, owners.into())).collect())
}
