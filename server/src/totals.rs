//! How many rows a list has: kept where nothing narrows it, otherwise counted, but not for ever. Triggers keep the totals, in the
//! transaction that changes a list.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::list::Total;
use crate::schema::list_totals;
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Text};
use postern_core::list::{
    ACCOUNTS, ALL_ORDERS, CALLBACKS, COUNTED_ROWS, INVOICES, List, NODES, ORDERS, SWITCHES, TRANSACTIONS, WHITE_LIST,
};

/// Whose list it is; the lists of operators are nobody's.
pub const NOBODY: i64 = 0;

/// How many rows a list counts at most: one more than it says.
pub const MOST: i64 = COUNTED_ROWS + 1;

/// The rows of a whole list of an account.
pub fn kept(conn: &mut Conn, list: &List, account_id: i64) -> Result<i64, AppError> {
    let total: Option<i64> = match conn {
        Conn::Sqlite(conn) => {
            list_totals::table.find((list.name, account_id)).select(list_totals::total).first(conn).optional()?
        }
        // What the job has added up, and what was changed since.
        Conn::Postgres(conn) => {
            use crate::db::Kept;
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
            Kept(sum).load(conn)?.pop()
        }
    };
    Ok(total.unwrap_or_default())
}

/// The total that a list answers with: the kept one of all its rows, unless something narrows it.
pub fn total(is_narrowed: bool, all: i64, counted: impl FnOnce() -> Result<i64, AppError>) -> Result<Total, AppError> {
    if is_narrowed { Ok(Total::counted(counted()?)) } else { Ok(Total::exact(all)) }
}

/// Counts the rows of a query, which is limited to `MOST` by its caller.
pub struct Counted<Q>(pub Q);

impl<Q> QueryId for Counted<Q> {
    /// It is known by its text.
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

/// Adds up what has changed since the last time. One statement: whoever reads meanwhile sees it before or after. SQLite has nothing to
/// add up, it counts in place.
pub fn fold(conn: &mut Conn) -> Result<usize, AppError> {
    let Conn::Postgres(conn) = conn else { return Ok(0) };
    // One at a time, and nobody waits: who comes second finds it done.
    conn.batch_execute("LOCK TABLE list_totals IN SHARE ROW EXCLUSIVE MODE")?;
    let folded = diesel::sql_query(
        "WITH gone AS (DELETE FROM list_changes RETURNING list, account_id, change) \
         INSERT INTO list_totals AS kept SELECT list, account_id, sum(change) FROM gone GROUP BY list, account_id \
         ON CONFLICT (list, account_id) DO UPDATE SET total = kept.total + excluded.total",
    );
    Ok(folded.execute(conn)?)
}

/// Each list that is counted, with whose its rows are.
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

/// Counts all lists, and says where another total is kept: a sentence each. For tests: it reads everything.
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
        format!("the list {} of account {} has {} rows, and {} are kept", one.list, one.account_id, one.rows, one.kept)
    };
    Ok(query.load::<Difference>(conn)?.into_iter().map(sentence).collect())
}
