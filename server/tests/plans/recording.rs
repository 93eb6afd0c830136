//! Records the queries that the database is asked, as text without values, and the calls that were made.
use crate::shop::Shop;
use diesel::connection::InstrumentationEvent;
use diesel::dsl::max;
use postern_core::calls::{self, Call, KeyUse, Scope};
use postern_server::app::openapi;
use postern_server::db::prelude::*;
use postern_server::schema::{audit_entries, ledger_transactions};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Mutex;

pub static RECORDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records the text of a query, without its values and with lists of any length normalised.
pub fn record(event: InstrumentationEvent<'_>) {
    let InstrumentationEvent::StartQuery { query, .. } = event else { return };
    let text = query.to_string();
    let text = text.split(" -- binds:").next().unwrap_or_default().trim().to_owned();
    let is_planned = ["SELECT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| text.starts_with(verb));
    // A condition that is always false reads nothing.
    let is_asked = is_planned && !text.contains("__diesel_schema_migrations") && !text.contains("(1=0)");
    if is_asked {
        RECORDED.lock().expect("the record").insert(lists_alike(&text));
    }
}

/// `IN (?, ?, ?)` as `IN (?)`.
fn lists_alike(text: &str) -> String {
    let mut parts = text.split("IN (?");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "IN (?" + part.trim_start_matches(", ?"))
}

/// The calls that were made, and those of them that posted to the ledger or to the audit log.
#[derive(Default)]
pub struct Made {
    pub calls: BTreeSet<String>,
    pub posting: BTreeSet<String>,
    pub audited: BTreeSet<String>,
}

impl Made {
    /// Makes a call, and notes whether it posted or was recorded.
    pub async fn note<T>(&mut self, shop: &Shop, call: &str, answer: impl Future<Output = T>) -> T {
        self.calls.insert(call.to_owned());
        let (before, entry) = (last_posting(shop), last_entry(shop));
        let answer = answer.await;
        if last_entry(shop) != entry {
            self.audited.insert(call.to_owned());
        }
        if last_posting(shop) != before {
            self.posting.insert(call.to_owned());
        }
        answer
    }

    /// The operators' changes that left no entry in the audit log, and the calls that left one without being such a change.
    pub fn unrecorded(&self) -> Vec<&str> {
        let is_audited = |name: &&str| calls::find(name).is_some_and(Call::is_audited);
        let missing = calls::calls().iter().map(|call| call.name).filter(is_audited);
        let missing = missing.filter(|name| !self.audited.contains(*name));
        missing.chain(self.audited.iter().map(String::as_str).filter(|name| !is_audited(name))).collect()
    }

    /// The calls that post to the ledger with a key that may not spend, or without asking for a code.
    pub fn unguarded(&self) -> Vec<&String> {
        self.posting.iter().filter(|call| !may_post(call)).collect()
    }
}

fn last_posting(shop: &Shop) -> Option<i64> {
    let last = ledger_transactions::table.select(max(ledger_transactions::id));
    shop.app.db.read_blocking(|conn| Ok(last.first(conn)?)).expect("the ledger")
}

fn last_entry(shop: &Shop) -> Option<i64> {
    let last = audit_entries::table.select(max(audit_entries::id));
    shop.app.db.read_blocking(|conn| Ok(last.first(conn)?)).expect("the audit log")
}

fn may_post(call: &str) -> bool {
    let found = calls::find(call).expect("a call of the table");
    let needs_scope = matches!(
        found.key_use,
        KeyUse::SignedInOnly | KeyUse::With(Scope::WriteBilling) | KeyUse::With(Scope::Operate)
    );
    needs_scope && (found.requires_confirmation || has_code_field(call))
}

/// Whether the form of the call has a code of two-factor authentication.
fn has_code_field(call: &str) -> bool {
    let document = openapi::document();
    let body = &document["paths"][format!("/api/{call}")]["post"]["requestBody"]["content"]["application/json"];
    let schema = body["schema"]["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/"));
    schema.is_some_and(|name| document["components"]["schemas"][name]["properties"]["Code"].is_object())
}
