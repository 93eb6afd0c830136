//! Queries that lock the rows that they find, until the transaction ends. On SQLite a write transaction locks the whole database, so there are no row
//! locks.
use crate::db::conn::MultiBackend;
use diesel::QueryResult;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};

pub struct Locking<Q> {
    query: Q,
    clause: &'static str,
}

/// Locks rows on both databases, which diesel does on one connection of both only without row locks.
pub trait LockRows: Query + Sized {
    /// Waits for rows that others have locked.
    fn locked(self) -> Locking<Self> {
        Locking { query: self, clause: " FOR UPDATE" }
    }

    /// Leaves out rows that others have locked.
    fn locked_if_free(self) -> Locking<Self> {
        Locking { query: self, clause: " FOR UPDATE SKIP LOCKED" }
    }
}

impl<Q: Query> LockRows for Q {}

impl<Q: QueryFragment<MultiBackend>> QueryFragment<MultiBackend> for Locking<Q> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, MultiBackend>) -> QueryResult<()> {
        self.query.walk_ast(pass.reborrow())?;
        if let MultiBackend::Postgres(_) = pass.backend() {
            pass.push_sql(self.clause);
        }
        Ok(())
    }
}

impl<Q> QueryId for Locking<Q> {
    /// Cached by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Locking<Q> {
    type SqlType = Q::SqlType;
}

impl<C, Q> diesel::RunQueryDsl<C> for Locking<Q> {}
