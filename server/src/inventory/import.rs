//! Imports a file of nodes in two passes: one to find all errors, one to insert everything.
use crate::audit::{self, Actor, Entry};
use crate::catalogue::catalogue;
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::inventory::types::WrongCell;
use crate::schema::{node_targets, nodes, proxy_servers, targets};
use crate::state::App;
use anyhow::Context;
use diesel::connection::SimpleConnection;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::csv::{CsvError, CsvReader, Row, lines};
use postern_core::field_errors::{Broken, FieldErrors};
use postern_core::inventory::{FILE, Known, MAX_WRONG_CELLS, NewNode};
use postern_core::language::Language;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::rule::Rule;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::IpAddr;
use std::path::Path;

const ROWS_PER_INSERT: usize = 1_000;

/// Rows between progress reports.
const ROWS_PER_REPORT: usize = 50_000;

/// The key of the advisory lock under which one import at a time numbers its nodes.
const IMPORT_LOCK: i64 = 0x0069_6d70_6f72_7401;

/// A file to import.
pub enum Source<'a> {
    Path(&'a Path),
    /// With its name.
    Upload(&'a str, &'a [u8]),
}

impl Source<'_> {
    fn open(&self) -> anyhow::Result<Box<dyn BufRead + '_>> {
        Ok(match self {
            Source::Path(path) => {
                let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
                Box::new(BufReader::with_capacity(1 << 20, file))
            }
            Source::Upload(_, content) => Box::new(*content),
        })
    }

    /// How many wrong cells are kept: of an upload only the first, because all of a large file without a valid line would not fit into memory.
    fn most_wrong(&self) -> usize {
        match self {
            Source::Path(_) => usize::MAX,
            Source::Upload(..) => MAX_WRONG_CELLS,
        }
    }

    fn name(&self) -> String {
        match self {
            Source::Path(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Source::Upload(name, _) => (*name).to_owned(),
        }
    }
}

/// Tier, country and city.
type Shelf = (String, String, String);

/// The result of an import, or of its dry run.
#[derive(Debug, Default)]
pub struct Imported {
    pub nodes: usize,
    /// The number of wrong cells. If there are any, nothing was imported.
    pub wrong_cells: usize,
    /// The first of them; of a file on disk all.
    pub wrong: Vec<WrongCell>,
    /// Valid lines by tier and city.
    pub shelves: HashMap<Shelf, usize>,
}

impl Imported {
    /// Counts the wrong cells of a line, and keeps them while there are not more than `most`.
    fn note(&mut self, line: u32, errors: FieldErrors, most: usize) {
        for cell in wrong_cells(line, errors) {
            self.wrong_cells += 1;
            if self.wrong.len() < most {
                self.wrong.push(cell);
            }
        }
    }
}

/// A wrong cell in words: `line 7, city: …`.
pub fn in_words(app: &App, wrong: &WrongCell) -> String {
    let parameters = serde_json::to_value(&wrong.broken.params).unwrap_or(Value::Null);
    let text = app.texts.get(Language::En, &format!("validation:{}", wrong.broken.rule), &parameters);
    format!("line {}, {}: {text}", wrong.line, wrong.column)
}

/// Imports all nodes of a CSV file, or none. A dry run only reports the errors. `tell` receives the progress.
pub fn import(
    app: &App,
    source: &Source,
    is_dry_run: bool,
    actor: &Actor,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<Imported> {
    let failed = |error: AppError| anyhow::anyhow!("reading the database: {error}");
    let is_demo = app.config.is_demo();
    loop {
        let known = app.db.read_blocking(|conn| known(conn, is_demo)).map_err(failed)?;
        let present = app.db.read_blocking(addresses).map_err(failed)?;
        let found = check(source, &known, &present, tell)?;
        if found.wrong_cells > 0 || is_dry_run {
            return Ok(found);
        }
        let stored = app.db.write_blocking(|conn| {
            let stored = store(conn, source, &known, present.len(), tell).map_err(AppError::Internal)?;
            let Some(stored) = stored else { return Ok(false) };
            if stored != found.nodes {
                return Err(AppError::internal("the file changed while it was read"));
            }
            let entry = Entry::new(AuditAction::NodesImported).subject(source.name());
            let entry = entry.changes([AuditChange::new(AuditField::Nodes, stored)]);
            audit::record(conn, actor, entry, app.clock.now())?;
            Ok(true)
        });
        if stored.map_err(|error| anyhow::anyhow!("nothing was imported: {error}"))? {
            analyze(app)?;
            return Ok(found);
        }
        // Another import came first: its addresses are there now.
    }
}

/// Reads the whole file for its errors.
fn check(
    source: &Source,
    known: &Known,
    present: &HashSet<IpAddr>,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<Imported> {
    let mut found = Imported::default();
    let mut seen = present.clone();
    let most_wrong = source.most_wrong();
    read_file(source, known, |line, node| {
        match node {
            Ok(node) if !seen.insert(node.ip) => {
                let rule = if present.contains(&node.ip) { Rule::IpPresent } else { Rule::IpRepeated };
                found.note(line, FieldErrors::one("ip", rule, &[]), most_wrong);
            }
            Ok(node) => {
                found.nodes += 1;
                *found.shelves.entry((node.ver_str, node.country, node.city)).or_default() += 1;
                if found.nodes.is_multiple_of(ROWS_PER_REPORT) {
                    tell(&format!("{} nodes read", found.nodes));
                }
            }
            Err(errors) => found.note(line, errors, most_wrong),
        }
        Ok(())
    })?;
    Ok(found)
}

/// Updates PostgreSQL's statistics: this many new rows change its best query plans, and autovacuum would count them only later.
fn analyze(app: &App) -> anyhow::Result<()> {
    let analyzed = app.db.read_blocking(|conn| match conn {
        Conn::Postgres(conn) => Ok(conn.batch_execute("ANALYZE nodes")?),
        Conn::Sqlite(_) => Ok(()),
    });
    analyzed.map_err(|error| anyhow::anyhow!("the nodes were imported, but updating the statistics failed: {error}"))
}

fn known(conn: &mut Conn, is_demo: bool) -> Result<Known, AppError> {
    let targets: Vec<String> = targets::table.select(targets::target).load(conn)?;
    let servers = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
    let servers: Vec<(String, i64)> = servers
        .filter(proxy_servers::kind.eq(ProxyServerKind::Static))
        .select((proxy_servers::name, proxy_servers::id))
        .load(conn)?;
    Ok(Known::new(&catalogue(conn)?, targets, servers, is_demo))
}

fn addresses(conn: &mut Conn) -> Result<HashSet<IpAddr>, AppError> {
    let present: Vec<String> = nodes::table.select(nodes::ip).load(conn)?;
    Ok(present.iter().filter_map(|ip| ip.parse().ok()).collect())
}

fn wrong_cells(line: u32, errors: FieldErrors) -> impl Iterator<Item = WrongCell> {
    let of_column = move |(column, broken): (String, Vec<Broken>)| {
        broken.into_iter().map(move |broken| WrongCell { line, column: column.clone(), broken })
    };
    errors.0.into_iter().flat_map(of_column)
}

/// Calls the closure for every row, with its line and its node or errors.
fn read_file(
    source: &Source,
    known: &Known,
    mut each: impl FnMut(u32, Result<NewNode, FieldErrors>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut file = source.open()?;
    let mut reader = CsvReader::new(FILE);
    let mut read = |row: Result<Row, CsvError>, is_utf8: bool| match row {
        Ok(row) if is_utf8 => each(row.line, known.read(&row)),
        Ok(row) => each(row.line, Err(FieldErrors::one("line", Rule::NotUtf8, &[]))),
        Err(CsvError { line, broken, .. }) => {
            let mut errors = FieldErrors::default();
            errors.push("line", broken);
            each(line, Err(errors))
        }
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if file.read_until(b'\n', &mut bytes).with_context(|| format!("reading {}", source.name()))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(bytes.strip_suffix(b"\n").unwrap_or(&bytes));
        for row in lines(&text).filter_map(|line| reader.read(line)) {
            read(row, matches!(text, Cow::Borrowed(_)))?;
        }
    }
    reader.finish().map_or(Ok(()), |row| read(row, true))
}

/// Inserts all nodes of the file, one import at a time. `None` if the shop no longer has as many nodes as when the file was checked: nodes are only
/// added, by imports.
fn store(
    conn: &mut Conn,
    source: &Source,
    known: &Known,
    checked_against: usize,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<Option<usize>> {
    one_at_a_time(conn, IMPORT_LOCK)?;
    let count: i64 = nodes::table.count().get_result(conn)?;
    if usize::try_from(count)? != checked_against {
        return Ok(None);
    }
    let mut next_id: i64 =
        nodes::table.select(diesel::dsl::max(nodes::id)).first::<Option<i64>>(conn)?.unwrap_or(0) + 1;
    let mut chunk = Vec::with_capacity(ROWS_PER_INSERT);
    let mut stored = 0;
    read_file(source, known, |line, node| {
        chunk.push(node.map_err(|_| anyhow::anyhow!("line {line} changed while it was read"))?);
        if chunk.len() == ROWS_PER_INSERT {
            insert(conn, &chunk, &mut next_id)?;
            stored += chunk.len();
            chunk.clear();
            if stored.is_multiple_of(ROWS_PER_REPORT) {
                tell(&format!("{stored} nodes written"));
            }
        }
        Ok(())
    })?;
    insert(conn, &chunk, &mut next_id)?;
    if let Conn::Postgres(conn) = &mut *conn {
        diesel::sql_query(
            "SELECT setval(pg_get_serial_sequence('nodes', 'id'), (SELECT coalesce(max(id), 1) FROM nodes))",
        )
        .execute(conn)?;
    }
    Ok(Some(stored + chunk.len()))
}

fn insert(conn: &mut Conn, chunk: &[NewNode], next_id: &mut i64) -> Result<(), AppError> {
    if chunk.is_empty() {
        return Ok(());
    }
    let mut rows = Vec::with_capacity(chunk.len());
    let mut fits = Vec::new();
    for node in chunk {
        let id = *next_id;
        *next_id += 1;
        rows.push((
            nodes::id.eq(id),
            nodes::ip.eq(node.ip.to_string()),
            nodes::http_port.eq(i32::from(node.http_port)),
            nodes::socks5_port.eq(node.socks5_port.map(i32::from)),
            nodes::country.eq(&node.country),
            nodes::city.eq(&node.city),
            nodes::isp.eq(&node.isp),
            nodes::asn.eq(i64::from(node.asn)),
            nodes::ver_str.eq(&node.ver_str),
            nodes::node_type.eq(i16::from(node.node_type)),
            nodes::supplier.eq(&node.supplier),
            nodes::cost_minor.eq(node.cost.minor()),
            nodes::server_id.eq(node.server_id),
        ));
        fits.extend(node.targets.iter().map(|target| (node_targets::target.eq(target), node_targets::node_id.eq(id))));
    }
    // Bulk inserts: each database has its own way to take many rows at once.
    match &mut *conn {
        Conn::Postgres(conn) => diesel::insert_into(nodes::table).values(&rows).execute(conn)?,
        Conn::Sqlite(conn) => diesel::insert_into(nodes::table).values(&rows).execute_each(conn)?,
    };
    for fits in fits.chunks(10_000) {
        match &mut *conn {
            Conn::Postgres(conn) => diesel::insert_into(node_targets::table).values(fits).execute(conn)?,
            Conn::Sqlite(conn) => diesel::insert_into(node_targets::table).values(fits).execute_each(conn)?,
        };
    }
    Ok(())
}
