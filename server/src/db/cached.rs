//! Caches prepared statements per connection that diesel would prepare each time.
//!
//! An UPDATE or an upsert may set different columns each time, so diesel never caches it; the database then parses and plans it again, which takes
//! longer than the change itself. If the text is always the same, it can be cached. (`is_safe_to_cache_prepared` is public but undocumented in
//! diesel: the test below detects when a release changes it.)
use crate::db::conn::{Conn, MultiBackend};
use crate::db::run::RunQueryDsl;
use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::BigInt;

/// A statement whose text never depends on its values. To be cached, it must be loaded: `execute` passes a reference, which hides the type from
/// diesel.
pub struct CachedStatement<Q>(pub Q);

impl<Q> QueryId for CachedStatement<Q> {
    /// Cached by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for CachedStatement<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for CachedStatement<Q> {
    type SqlType = Q::SqlType;
}

impl<C, Q> diesel::RunQueryDsl<C> for CachedStatement<Q> {}

/// Updates rows by a statement whose text never depends on its values, and returns their ids.
pub fn update_cached<Q>(conn: &mut Conn, statement: Q) -> QueryResult<Vec<i64>>
where
    Q: Query<SqlType = BigInt> + QueryFragment<MultiBackend>,
{
    CachedStatement(statement).load(conn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::prelude::*;
    use crate::schema::stock;
    use diesel::connection::{Connection, InstrumentationEvent, SimpleConnection};
    use diesel::sqlite::SqliteConnection;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The number of cached statements of a connection after these.
    fn cached_after(run: impl Fn(&mut Conn, i64)) -> usize {
        let mut conn = Conn::Sqlite(SqliteConnection::establish(":memory:").expect("a database"));
        conn.batch_execute("CREATE TABLE stock (available INTEGER); INSERT INTO stock VALUES (0)").expect("a table");
        let cached = Arc::new(AtomicUsize::new(0));
        let counter = cached.clone();
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if matches!(event, InstrumentationEvent::CacheQuery { .. }) {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        (0..3).for_each(|number| run(&mut conn, number));
        cached.load(Ordering::SeqCst)
    }

    #[test]
    fn a_cached_update_is_prepared_once() {
        let update =
            |number: i64| diesel::update(stock::table).set(stock::available.eq(number)).returning(stock::available);
        let is_changed = |changed: QueryResult<Vec<i64>>, number| assert_eq!(changed, Ok(vec![number]));
        assert_eq!(cached_after(|conn, number| is_changed(update(number).load(conn), number)), 0);
        assert_eq!(cached_after(|conn, number| is_changed(update_cached(conn, update(number)), number)), 1);
    }
}
