//! Full-text search in the proxy list: nodes that match in address, note or ISP. Substring indexes are used up to the counting limit; beyond it,
//! scanning the list finds a page of matches fast enough.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{beginning_with, containing};
use crate::schema::{node_search, nodes, stock};
use crate::totals::MOST;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use postern_core::node_search::Search;

/// The result of a search.
#[derive(Debug)]
pub enum Found {
    /// No search term.
    Everything,
    /// Exactly these ids, newest first.
    These(Vec<i64>),
    /// Too many to count, or an unknown number: the condition that they match.
    Like(LikeCondition),
}

/// The condition of a search, for scanning.
#[derive(Clone, Debug)]
pub struct LikeCondition {
    /// The `LIKE` pattern for address and note.
    pub pattern: String,
    pub isps: Vec<String>,
    /// Whether there are more than are counted; otherwise the number of matches is unknown.
    pub is_more_than_counted: bool,
}

/// The maximum number of trigrams expanded from two Chinese characters; beyond it, all notes are scanned.
const MAX_TRIGRAMS: usize = 200;

#[derive(QueryableByName)]
struct Node {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
struct Part {
    #[diesel(sql_type = Text)]
    term: String,
}

pub fn find(conn: &mut Conn, account_id: i64, text: &str) -> Result<Found, AppError> {
    let search = Search::of(text)?;
    let (text, pattern, isps) = match &search {
        Search::All => return Ok(Found::Everything),
        Search::Prefix(text) => (text, beginning_with(text), isps(conn, |isp| isp.starts_with(text.as_str()))?),
        Search::Bigram(text) | Search::Substring(text) => {
            (text, containing(text), isps(conn, |isp| isp.contains(text.as_str()))?)
        }
    };
    let like = |is_more_than_counted| Found::Like(LikeCondition { pattern, isps: isps.clone(), is_more_than_counted });
    let mut ids = if isps.is_empty() { Vec::new() } else { ids_of_isps(conn, account_id, &isps)? };
    if !is_more(&ids) {
        let parts = match &search {
            Search::Prefix(_) => Some(ids_by_prefix(conn, account_id, text)?),
            _ => ids_by_substring(conn, account_id, &search)?,
        };
        let Some(parts) = parts else { return Ok(like(false)) };
        ids.extend(parts);
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.dedup();
    }
    Ok(if is_more(&ids) { like(true) } else { Found::These(ids) })
}

fn is_more(ids: &[i64]) -> bool {
    i64::try_from(ids.len()).is_ok_and(|count| count >= MOST)
}

/// The shop's ISPs that match; there are few. Compared in lower case.
fn isps(conn: &mut Conn, fits: impl Fn(&String) -> bool) -> Result<Vec<String>, AppError> {
    let all: Vec<String> = stock::table.filter(stock::target.eq("")).select(stock::isp).distinct().load(conn)?;
    Ok(all.into_iter().filter(|isp| fits(&isp.to_lowercase())).collect())
}

fn ids_of_isps(conn: &mut Conn, account_id: i64, isps: &[String]) -> Result<Vec<i64>, AppError> {
    let own = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::isp.eq_any(isps));
    Ok(own.select(nodes::id).limit(MOST).load(conn)?)
}

/// The upper bound of all texts with this prefix.
fn end_of(text: &str) -> String {
    format!("{text}{}", char::MAX)
}

fn ids_by_prefix(conn: &mut Conn, account_id: i64, text: &str) -> Result<Vec<i64>, AppError> {
    let own = nodes::table.filter(nodes::account_id.eq(account_id));
    let by_address = own.filter(nodes::ip.ge(text)).filter(nodes::ip.lt(end_of(text)));
    let mut ids: Vec<i64> = by_address.select(nodes::id).limit(MOST).load(conn)?;
    // In byte order: PostgreSQL has other collations, too.
    let by_note = match conn {
        Conn::Postgres(_) => {
            "SELECT id FROM nodes WHERE account_id = $1 AND note <> '' \
             AND lower(note) COLLATE \"C\" >= $2 AND lower(note) COLLATE \"C\" < $3 LIMIT $4"
        }
        Conn::Sqlite(_) => {
            "SELECT id FROM nodes WHERE account_id = ? AND note <> '' AND lower(note) >= ? AND lower(note) < ? LIMIT ?"
        }
    };
    let by_note = sql_query(by_note).bind::<BigInt, _>(account_id).bind::<Text, _>(text).bind::<Text, _>(end_of(text));
    ids.extend(by_note.bind::<BigInt, _>(MOST).load::<Node>(conn)?.into_iter().map(|node| node.id));
    Ok(ids)
}

/// The nodes with such a substring in address or note, unless it expands to too many trigrams.
fn ids_by_substring(conn: &mut Conn, account_id: i64, search: &Search) -> Result<Option<Vec<i64>>, AppError> {
    let found = match (&mut *conn, search) {
        (Conn::Postgres(inner), Search::Substring(text) | Search::Bigram(text)) => {
            return Ok(Some(ids_on_postgres(inner, account_id, text)?));
        }
        (Conn::Sqlite(_), Search::Substring(text)) => {
            let part = phrase(text);
            let mut found = Vec::new();
            if text.chars().all(|letter| letter.is_ascii_hexdigit() || matches!(letter, '.' | ':')) {
                found = matches(conn, "node_addresses", account_id, &part)?;
            }
            found.extend(matches(conn, "node_notes", account_id, &part)?);
            found
        }
        (Conn::Sqlite(_), Search::Bigram(text)) => {
            let query = "SELECT term FROM node_note_parts WHERE term >= ? AND term < ? LIMIT ?";
            let query = sql_query(query).bind::<Text, _>(text).bind::<Text, _>(end_of(text));
            let parts: Vec<Part> =
                query.bind::<BigInt, _>(i64::try_from(MAX_TRIGRAMS).unwrap_or(i64::MAX) + 1).load(conn)?;
            if parts.len() > MAX_TRIGRAMS {
                return Ok(None);
            }
            if parts.is_empty() {
                return Ok(Some(Vec::new()));
            }
            let parts: Vec<String> = parts.iter().map(|part| phrase(&part.term)).collect();
            matches(conn, "node_notes", account_id, &format!("({})", parts.join(" OR ")))?
        }
        (_, Search::All | Search::Prefix(_)) => Vec::new(),
    };
    Ok(Some(found.into_iter().map(|node| node.id).collect()))
}

/// The matches of PostgreSQL's trigram index for an account. `LIKE` drops candidates whose trigrams are not adjacent.
fn ids_on_postgres(conn: &mut PgConnection, account_id: i64, text: &str) -> Result<Vec<i64>, AppError> {
    let letters: Vec<char> = text.chars().collect();
    let part = |letters: &[char]| format!("{account_id} {}", letters.iter().collect::<String>());
    let parts: Vec<String> = letters.windows(letters.len().min(3)).map(part).collect();
    let found = node_search::table
        .filter(node_search::parts.contains(parts))
        .filter(node_search::text.like(containing(text)).escape('\\'))
        .select(node_search::node_id)
        .limit(MOST);
    conn.transaction(|conn| {
        // With frequent trigrams PostgreSQL would prefer a scan of the whole table, across all accounts.
        conn.batch_execute("SET LOCAL enable_seqscan = off")?;
        let ids = found.load(conn)?;
        conn.batch_execute("SET LOCAL enable_seqscan = on")?;
        Ok(ids)
    })
}

/// A phrase for SQLite's full-text index, quoted so that user input is literal.
fn phrase(text: &str) -> String {
    format!("text : \"{}\"", text.replace('"', "\"\""))
}

/// The account as three characters that users do not type, as written by the triggers.
fn owner(account_id: i64) -> String {
    let letter = |number: i64| u32::try_from(57_344 + number % 6_400).ok().and_then(char::from_u32);
    [account_id / 40_960_000, account_id / 6_400, account_id].into_iter().filter_map(letter).collect()
}

/// The matches of SQLite's index for an account; `table` is never user input.
fn matches(conn: &mut Conn, table: &'static str, account_id: i64, asked: &str) -> Result<Vec<Node>, AppError> {
    let asked = format!("owner : \"{}\" AND {asked}", owner(account_id));
    let query = sql_query(format!("SELECT rowid AS id FROM {table} WHERE {table} MATCH ? LIMIT ?"));
    Ok(query.bind::<Text, _>(asked).bind::<BigInt, _>(MOST).load(conn)?)
}
