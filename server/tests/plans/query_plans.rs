//! Finds scans of whole tables in the plans of queries.
use diesel::connection::SimpleConnection;
use diesel::sql_query;
use diesel::sql_types::Text;
use postern_server::db::Conn;
use postern_server::db::prelude::*;

/// Tables that may be scanned as a whole, and why.
const SMALL: &[(&str, &str)] = &[
    ("tiers", "a handful, the seller's products"),
    ("periods", "a handful"),
    ("quantity_steps", "a handful"),
    ("planned_prices", "two hundred at most, the seller's"),
    ("targets", "the seller's use cases, some dozens"),
    ("secret_checks", "one row"),
    ("shop_settings", "one row for each setting"),
    ("pg_database", "the databases of the server"),
    ("write_probes", "one row"),
    ("limits", "a handful, the seller's"),
    ("exchange_rates", "one row for each currency"),
    ("hold_steps", "a handful, the seller's"),
    ("traffic_steps", "some dozens, the seller's"),
    ("forged_callbacks", "one row for each gateway and day of a week"),
    ("sellers", "one row"),
    ("invoice_counters", "two rows a year"),
    ("alarms", "one row for each kind"),
    ("link_requests", "those of the last second: a job answers and deletes them"),
    ("failed_sign_ins", "those of the last seconds: a job writes them to the log and deletes them"),
    ("daily_jobs", "one row for each job"),
    ("job_runs", "one row for each job"),
    ("backups", "one row a day, the seller's"),
    ("shop_days", "one row a day"),
    ("shop_customers", "one row for each customer with something in use, read once a day to see who has left"),
    ("list_changes", "what came since a job added it up last"),
    ("proxy_servers", "some dozens, the seller's"),
    ("rejected_usage", "at most a thousand for each proxy server"),
    ("support_canned_answers", "a hundred at most, the seller's"),
    ("usage_reports", "those of the last second: a job adds them up and deletes them"),
    ("referral_rules", "a handful, the seller's"),
    ("announcements", "two hundred at most, the seller's"),
    ("legal_texts", "two hundred at most, the seller's"),
    ("stock", "tiers times cities times ISPs, however many nodes there are; a job folds what PostgreSQL adds"),
];

/// Partial indexes with only the rows that wait for a job: reading all of one is the job.
const WAITING: &[&str] = &[
    "nodes_to_renew",
    "nodes_to_remind",
    "nodes_with_old_credentials",
    "payments_to_ask",
    "gateway_callbacks_to_judge",
    "accounts_suspended",
    "traffic_batches_to_remind",
    "traffic_accounts_to_look_at",
    "commissions_to_mature",
    "referrals_to_review",
    "events_to_dispatch",
    "accounts_of_operators",
    "webhooks_of_shop",
    "mails_unsent",
    "payment_cases_open",
    "payment_returns_open",
    "source_refunds_due",
    "wallets_that_owe",
    "support_conversations_waiting",
    "support_conversations_to_tell_customers",
    "support_conversations_to_tell_operators",
];

#[derive(QueryableByName)]
struct SqliteStep {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct PostgresStep {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    text: String,
}

fn is_small(table: &str) -> bool {
    SMALL.iter().any(|(name, _)| *name == table)
}

/// The steps of a plan that scan a whole growing table or a whole index of one.
pub fn whole_reads(conn: &mut Conn, query: &str) -> QueryResult<Vec<String>> {
    match conn {
        Conn::Sqlite(conn) => {
            let steps: Vec<SqliteStep> = sql_query(format!("EXPLAIN QUERY PLAN {query}")).load(conn)?;
            let is_whole = |detail: &String| {
                let words: Vec<&str> = detail.split(' ').collect();
                let is_waiting = words.last().is_some_and(|index| WAITING.contains(index));
                // A full-text index is either searched or read as a whole.
                let is_asked = detail.contains(" VIRTUAL TABLE INDEX ") && !detail.ends_with("INDEX 0:");
                // Rows of a subquery are found by its own steps; a SELECT without FROM has one row.
                let is_of_a_query = words[1].starts_with('(') || words[1] == "counted" || detail == "SCAN CONSTANT ROW";
                words[0] == "SCAN" && !is_of_a_query && !is_small(words[1]) && !is_waiting && !is_asked
            };
            Ok(steps.into_iter().map(|step| step.detail).filter(is_whole).collect())
        }
        Conn::Postgres(conn) => {
            let values = (1..).take_while(|number| query.contains(&format!("${number}"))).count();
            let values = if values == 0 { String::new() } else { format!("({})", vec!["NULL"; values].join(", ")) };
            conn.batch_execute(&format!(
                "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE asked AS {query}"
            ))?;
            let steps: Vec<PostgresStep> =
                sql_query(format!("EXPLAIN (COSTS OFF) EXECUTE asked{values}")).load(conn)?;
            conn.batch_execute("DEALLOCATE asked")?;
            let lines: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
            let mut whole = Vec::new();
            for (index, line) in lines.iter().enumerate() {
                let has_condition = lines[index + 1..]
                    .iter()
                    .take_while(|next| !next.contains("->"))
                    .any(|next| next.trim_start().starts_with("Index Cond:"));
                let words: Vec<&str> = line.trim_start().trim_start_matches("->").split_whitespace().collect();
                let after =
                    |word: &str| words.iter().position(|one| *one == word).and_then(|at| words.get(at + 1)).copied();
                let is_whole = if words.starts_with(&["Seq", "Scan"]) {
                    !after("on").is_some_and(is_small)
                } else if words.starts_with(&["Bitmap", "Index"]) {
                    let is_small_ones = |index: &str| SMALL.iter().any(|(name, _)| index.starts_with(name));
                    !has_condition && !after("on").is_some_and(|index| WAITING.contains(&index) || is_small_ones(index))
                } else if matches!(words[..], ["Index", "Scan" | "Only", ..]) {
                    !has_condition
                        && !after("on").is_some_and(is_small)
                        && !after("using").is_some_and(|index| WAITING.contains(&index))
                } else {
                    false
                };
                if is_whole {
                    whole.push(line.trim().to_owned());
                }
            }
            Ok(whole)
        }
    }
}
