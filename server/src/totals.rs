//! List totals: counted up to a limit. The total of an account's nodes is maintained, by triggers in the transaction that changes them.
use crate::db::Conn;
use crate::db::conn::MultiBackend;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::list_totals;
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::dsl::Limit;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::methods::LimitDsl;
use diesel::sql_types::BigInt;
use postern_core::list::COUNTED_ROWS;

/// The number of rows counted at most: one more than is reported.
pub const MOST: i64 = COUNTED_ROWS + 1;

/// The number of an account's nodes.
pub fn nodes(conn: &mut Conn, account_id: i64) -> Result<i64, AppError> {
    let total: Option<i64> = match conn {
        Conn::Sqlite(conn) => {
            list_totals::table.find(("nodes", account_id)).select(list_totals::total).first(conn).optional()?
        }
        // The job's compacted total plus the deltas since.
        Conn::Postgres(conn) => {
            use crate::db::CachedStatement;
            use diesel::dsl::sql;
            let sum = diesel::select(
                sql::<BigInt>(
                    "CAST(coalesce((SELECT sum(change) FROM list_changes WHERE list = 'nodes' AND account_id = ",
                )
                .bind::<BigInt, _>(account_id)
                .sql("), 0) + coalesce((SELECT total FROM list_totals WHERE list = 'nodes' AND account_id = ")
                .bind::<BigInt, _>(account_id)
                .sql("), 0) AS BIGINT)"),
            );
            CachedStatement(sum).load(conn)?.pop()
        }
    };
    Ok(total.unwrap_or_default())
}

/// Counts the rows of a query, up to `MOST`.
pub fn counted<Q>(conn: &mut Conn, query: Q) -> QueryResult<i64>
where
    Q: LimitDsl,
    Limit<Q>: QueryFragment<MultiBackend>,
{
    Counted(query.limit(MOST)).get_result(conn)
}

/// Counts the rows of a query.
struct Counted<Q>(Q);

impl<Q> QueryId for Counted<Q> {
    /// Cached by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Counted<Q> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql("SELECT count(*) FROM (");
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(") AS counted");
        Ok(())
    }
}

impl<Q> Query for Counted<Q> {
    type SqlType = BigInt;
}

impl<C, Q> RunQueryDsl<C> for Counted<Q> {}

/// Counts the rows of a query up to `MOST`, in half the time of `counted` if a covering index finds them: skipping a row is cheaper than
/// counting it, and with `MOST` rows nothing needs counting. Reads the rows twice if there are fewer.
pub struct CountedInIndex<Q>(pub Q);

impl<Q> QueryId for CountedInIndex<Q> {
    /// Cached by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for CountedInIndex<Q> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql(&format!("SELECT coalesce((SELECT {MOST} FROM ("));
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(&format!(") AS skipped LIMIT 1 OFFSET {COUNTED_ROWS}), (SELECT count(*) FROM ("));
        self.0.walk_ast(pass.reborrow())?;
        pass.push_sql(") AS counted))");
        Ok(())
    }
}

impl<Q> Query for CountedInIndex<Q> {
    type SqlType = BigInt;
}

impl<C, Q> RunQueryDsl<C> for CountedInIndex<Q> {}

/// Compacts the deltas. One statement, so concurrent readers see them before or after. No-op on SQLite, which
/// counts in place.
pub fn fold(conn: &mut Conn) -> Result<usize, AppError> {
    let Conn::Postgres(conn) = conn else { return Ok(0) };
    // One compaction at a time; a second process finds it done.
    conn.batch_execute("LOCK TABLE list_totals IN SHARE ROW EXCLUSIVE MODE")?;
    let folded = diesel::sql_query(
        "WITH gone AS (DELETE FROM list_changes RETURNING list, account_id, change) \
         INSERT INTO list_totals AS kept SELECT list, account_id, sum(change) FROM gone GROUP BY list, account_id \
         ON CONFLICT (list, account_id) DO UPDATE SET total = kept.total + excluded.total",
    );
    Ok(folded.execute(conn)?)
}

#[derive(QueryableByName)]
struct Difference {
    #[diesel(sql_type = BigInt)]
    account_id: i64,
    #[diesel(sql_type = BigInt)]
    kept: i64,
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Recounts all nodes, and returns a sentence for each account whose total differs. For tests: it reads everything.
pub fn differences(conn: &mut Conn) -> Result<Vec<String>, AppError> {
    let changes = match conn {
        Conn::Postgres(_) => "UNION ALL SELECT account_id, change, 0 FROM list_changes",
        Conn::Sqlite(_) => "",
    };
    let query = diesel::sql_query(format!(
        "SELECT account_id, CAST(sum(total) AS BIGINT) AS kept, CAST(sum(counted) AS BIGINT) AS rows FROM \
         (SELECT account_id, total, 0 AS counted FROM list_totals {changes} \
         UNION ALL SELECT account_id, 0, 1 FROM nodes WHERE account_id IS NOT NULL) AS both_ways \
         GROUP BY account_id HAVING sum(total) <> sum(counted) ORDER BY account_id"
    ));
    let sentence =
        |one: Difference| format!("account {} has {} nodes, but a total of {}", one.account_id, one.rows, one.kept);
    Ok(query.load::<Difference>(conn)?.into_iter().map(sentence).collect())
}
