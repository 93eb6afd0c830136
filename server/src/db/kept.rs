//! Statements that are prepared once for each connection although diesel would prepare them each time.
//!
//! An UPDATE, or an INSERT that turns into one, may name other columns each time, so diesel forgets it at once; the database then reads
//! and plans it anew, which takes it longer than the change itself. Where the text is always the same, it can be kept.
use diesel::QueryResult;
use diesel::RunQueryDsl;
use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};

/// A statement whose text never depends on its values.
pub struct Kept<Q>(pub Q);

impl<Q> QueryId for Kept<Q> {
    /// It is known by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Kept<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for Kept<Q> {
    type SqlType = Q::SqlType;
}

impl<C, Q> RunQueryDsl<C> for Kept<Q> {}
