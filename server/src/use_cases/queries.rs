//! Use cases as rows, and the nodes that are good for them.
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::nodes::CHUNK;
use crate::schema::{node_targets, targets};
use crate::use_cases::types::UseCaseView;
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::use_case::{MAX_USE_CASES, UseCase};
use std::collections::{BTreeSet, HashSet};

/// The name of changes among works that wait for each other: places in the list follow one another.
const USE_CASES_LOCK: i64 = 0x7573_655f_6361_7365;

/// All use cases in their order.
pub fn list(conn: &mut Conn) -> Result<Vec<UseCaseView>, AppError> {
    let nodes = sql::<BigInt>("(SELECT count(*) FROM node_targets WHERE node_targets.target = targets.target)");
    let rows: Vec<(String, String, String, String, i64)> = targets::table
        .order((targets::position, targets::target))
        .select((targets::target, targets::name_en, targets::name_zh, targets::category, nodes))
        .load(conn)?;
    let view = |(target, name_en, name_zh, category, nodes)| UseCaseView { target, name_en, name_zh, category, nodes };
    Ok(rows.into_iter().map(view).collect())
}

#[derive(Clone, Queryable)]
struct Row {
    target: String,
    name_en: String,
    name_zh: String,
    category: String,
}

impl Row {
    /// Its values as the audit log names them, with its place in the list, from 1.
    fn values(&self, position: usize) -> [(AuditField, String); 4] {
        [
            (AuditField::Name, self.name_en.clone()),
            (AuditField::NameZh, self.name_zh.clone()),
            (AuditField::Category, self.category.clone()),
            (AuditField::Position, position.to_string()),
        ]
    }
}

fn rows(conn: &mut Conn) -> Result<Vec<Row>, AppError> {
    let rows = targets::table.order((targets::position, targets::target));
    Ok(rows.select((targets::target, targets::name_en, targets::name_zh, targets::category)).load(conn)?)
}

/// Adds a use case, or changes the one with its key.
pub fn save(
    conn: &mut Conn,
    is_new: bool,
    wanted: &UseCase,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    one_at_a_time(conn, USE_CASES_LOCK)?;
    let mut all = rows(conn)?;
    let found = all.iter().position(|row| row.target == wanted.target);
    match (is_new, found) {
        (true, Some(_)) => return Err(FieldErrors::one("Target", Rule::UseCaseTaken, &[]).into()),
        (true, None) if all.len() >= MAX_USE_CASES as usize => {
            let max = [("Max", MAX_USE_CASES.to_string())];
            return Err(FieldErrors::one("Target", Rule::TooManyUseCases, &max).into());
        }
        (false, None) => return Err(AppError::code(Code::NotFound)),
        _ => {}
    }
    let before = found.map(|at| (at, all.remove(at)));
    let last = before.as_ref().map_or(all.len(), |(at, _)| *at);
    let at = wanted.position.map_or(last, |position| (position as usize).saturating_sub(1)).min(all.len());
    let after = Row {
        target: wanted.target.clone(),
        name_en: wanted.name_en.clone(),
        name_zh: wanted.name_zh.clone(),
        category: wanted.category.clone(),
    };
    all.insert(at, after.clone());
    let values = (
        targets::name_en.eq(&after.name_en),
        targets::name_zh.eq(&after.name_zh),
        targets::category.eq(&after.category),
    );
    if before.is_some() {
        diesel::update(targets::table.find(&after.target)).set(values).execute(conn)?;
    } else {
        let row = (targets::target.eq(&after.target), targets::position.eq(0), values);
        diesel::insert_into(targets::table).values(row).execute(conn)?;
    }
    place(conn, &all)?;
    let new = after.values(at + 1).into_iter();
    let changes: Vec<AuditChange> = match &before {
        Some((was_at, before)) => {
            let pairs = before.values(was_at + 1).into_iter().zip(new);
            pairs.filter_map(|((field, old), (_, new))| AuditChange::between(field, old, new)).collect()
        }
        None => {
            new.filter(|(_, value)| !value.is_empty()).map(|(field, value)| AuditChange::new(field, value)).collect()
        }
    };
    if changes.is_empty() {
        return Ok(());
    }
    audit::record(conn, actor, Entry::new(AuditAction::UseCaseSaved).subject(after.target).changes(changes), now)
}

/// Numbers the use cases in this order.
fn place(conn: &mut Conn, all: &[Row]) -> Result<(), AppError> {
    for (position, row) in (0..).zip(all) {
        let moved = targets::table.find(&row.target).filter(targets::position.ne(position));
        diesel::update(moved).set(targets::position.eq(position)).execute(conn)?;
    }
    Ok(())
}

/// Takes a use case away from some of its nodes, as many as a transaction may change without holding up those who buy. Returns how many there were.
pub fn take_some(conn: &mut Conn, target: &str) -> Result<usize, AppError> {
    let having = node_targets::table.filter(node_targets::target.eq(target)).order(node_targets::node_id);
    let some: Vec<i64> = having.limit(CHUNK as i64).select(node_targets::node_id).load(conn)?;
    let these = node_targets::table.filter(node_targets::target.eq(target)).filter(node_targets::node_id.eq_any(some));
    Ok(diesel::delete(these).execute(conn)?)
}

/// Deletes a use case, which was taken from `taken` nodes before: no node is good for it any more. The nodes stay.
pub fn delete(conn: &mut Conn, target: &str, taken: usize, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    one_at_a_time(conn, USE_CASES_LOCK)?;
    let mut all = rows(conn)?;
    let at = all.iter().position(|row| row.target == target).ok_or_else(|| AppError::code(Code::NotFound))?;
    let gone = all.remove(at);
    let left = diesel::delete(node_targets::table.filter(node_targets::target.eq(target))).execute(conn)?;
    diesel::delete(targets::table.find(target)).execute(conn)?;
    place(conn, &all)?;
    let named = AuditChange::gone(AuditField::Name, &gone.name_en);
    let entry = Entry::new(AuditAction::UseCaseDeleted).subject(target);
    audit::record(conn, actor, entry.changes([named, AuditChange::gone(AuditField::Nodes, taken + left)]), now)
}

/// Refuses use cases that the shop does not have. Those that it has cannot be deleted before the transaction ends.
pub fn refuse_unknown(conn: &mut Conn, field: &str, wanted: &BTreeSet<String>) -> Result<(), AppError> {
    if wanted.is_empty() {
        return Ok(());
    }
    one_at_a_time(conn, USE_CASES_LOCK)?;
    let known: HashSet<String> = targets::table.select(targets::target).load(conn)?.into_iter().collect();
    match wanted.iter().find(|target| !known.contains(*target)) {
        Some(unknown) => Err(FieldErrors::one(field, Rule::UnknownTarget, &[("Value", unknown.clone())]).into()),
        None => Ok(()),
    }
}
