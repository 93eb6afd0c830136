//! List totals: maintained for whole lists, counted up to a limit for filtered ones. Triggers maintain the totals, in the
//! transaction that changes a list.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::Total;
use crate::schema::list_totals;
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Text};
use postern_core::list::{
    ACCOUNTS, ALL_ORDERS, CALLBACKS, COUNTED_ROWS, INVOICES, List, NODES, ORDERS, SWITCHES, TRANSACTIONS, WHITE_LIST,
};

/// The owner of operators' lists, which belong to no account.
pub const NO_ACCOUNT: i64 = 0;

/// The number of rows counted at most: one more than is reported.
pub const MOST: i64 = COUNTED_ROWS + 1;

/// The maintained total of an account's whole list.
pub fn kept(conn: &mut Conn, list: &List, account_id: i64) -> Result<i64, AppError> {
    let total: Option<i64> = match conn {
        Conn::Sqlite(conn) => {
            list_totals::table.find((list.name, account_id)).select(list_totals::total).first(conn).optional()?
        }
        // The job's compacted total plus the deltas since.
        Conn::Postgres(conn) => {
            use crate::db::CachedStatement;
            use diesel::dsl::sql;
            let sum = diesel::select(
                sql::<BigInt>("CAST(coalesce((SELECT sum(change) FROM list_changes WHERE list_changes.list = ")
                    .bind::<Text, _>(list.name)
                    .sql(" AND list_changes.account_id = ")
                    .bind::<BigInt, _>(account_id)
                    .sql("), 0) + coalesce((SELECT total FROM list_totals WHERE list_totals.list = ")
                    .bind::<Text, _>(list.name)
                    .sql(" AND list_totals.account_id = ")
                    .bind::<BigInt, _>(account_id)
                    .sql("), 0) AS BIGINT)"),
            );
            CachedStatement(sum).load(conn)?.pop()
        }
    };
    Ok(total.unwrap_or_default())
}

/// The total that a list returns: the maintained one, or a count if filters apply.
pub fn total(is_narrowed: bool, all: i64, counted: impl FnOnce() -> Result<i64, AppError>) -> Result<Total, AppError> {
    if is_narrowed { Ok(Total::counted(counted()?)) } else { Ok(Total::exact(all)) }
}

/// Counts the rows of a query, which the caller limits to `MOST`.
pub struct Counted<Q>(pub Q);

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

/// Counts the rows of a query up to `MOST`, in half the time of `Counted` if a covering index finds them: skipping a row is cheaper than
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

/// Each counted list, with the owner of its rows.
const LISTS: [(&List, &str, &str); 9] = [
    (&NODES, "account_id", "nodes WHERE account_id IS NOT NULL"),
    (&ORDERS, "account_id", "orders"),
    (&ALL_ORDERS, "0", "orders"),
    (&TRANSACTIONS, "account_id", "ledger_transactions"),
    (&INVOICES, "account_id", "invoices"),
    (&SWITCHES, "account_id", "node_switches"),
    (&WHITE_LIST, "account_id", "white_list"),
    (&ACCOUNTS, "0", "accounts"),
    (&CALLBACKS, "0", "gateway_callbacks"),
];

#[derive(QueryableByName)]
struct Difference {
    #[diesel(sql_type = Text)]
    list: String,
    #[diesel(sql_type = BigInt)]
    account_id: i64,
    #[diesel(sql_type = BigInt)]
    kept: i64,
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Recounts all lists, and returns a sentence for each total that differs. For tests: it reads everything.
pub fn differences(conn: &mut Conn) -> Result<Vec<String>, AppError> {
    let mut parts = vec!["SELECT list, account_id, total, 0 AS counted FROM list_totals".to_owned()];
    if matches!(conn, Conn::Postgres(_)) {
        parts.push("SELECT list, account_id, change, 0 FROM list_changes".to_owned());
    }
    let counted = |(list, account_id, rows): &(&List, &str, &str)| {
        format!("SELECT '{}', {account_id}, 0, 1 FROM {rows}", list.name)
    };
    parts.extend(LISTS.iter().map(counted));
    let query = diesel::sql_query(format!(
        "SELECT list, CAST(account_id AS BIGINT) AS account_id, CAST(sum(total) AS BIGINT) AS kept, CAST(sum(counted) AS BIGINT) AS rows \
         FROM ({}) AS both_ways GROUP BY list, account_id HAVING sum(total) <> sum(counted) ORDER BY list, account_id",
        parts.join(" UNION ALL ")
    ));
    let sentence = |one: Difference| {
        format!(
            "the list {} of account {} has {} rows, but a total of {}",
            one.list, one.account_id, one.rows, one.kept
        )
    };
    Ok(query.load::<Difference>(conn)?.into_iter().map(sentence).collect())
}
