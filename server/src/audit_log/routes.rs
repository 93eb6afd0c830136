//! The calls of the audit log.
use crate::audit::views::AuditEntry;
use crate::audit_log::queries;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::csv::csv_of_list;
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator};
use crate::state::App;
use actix_web::{HttpResponse, post, web};
use postern_core::audit::AuditChange;
use postern_core::csv::push_row;

/// Lists what operators did, newest first: on screen, by API keys and by commands on the server. `Search` matches an order number, coupon code or
/// name of a proxy server, or part of an e-mail address, of the operator or of the customer; filters by `Action`, `Channel`, `AccountId` and time;
/// sorts by `At`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<AuditEntry>>)))]
#[post("/Operator/GetAuditLog")]
pub async fn get_audit_log(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<AuditEntry>> {
    answer(app.db.read(move |conn| queries::list(conn, &asked)).await?)
}

const COLUMNS: [&str; 10] =
    ["At", "Operator", "Channel", "Actor", "Address", "Action", "Account", "Subject", "Reason", "Changes"];

/// Exports the audit log as CSV, oldest first, with the filters of the list.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "text/csv")))]
#[post("/Operator/ExportAuditLog")]
pub async fn export_audit_log(
    app: web::Data<App>,
    _who: Operator,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    csv_of_list(app, "audit-log", &COLUMNS, ("At", list), queries::list, push_entry).await
}

fn push_entry(out: &mut String, entry: &AuditEntry) {
    let changes: Vec<String> = entry.changes.iter().map(change).collect();
    push_row(
        out,
        &[
            &entry.at,
            entry.operator.as_deref().unwrap_or_default(),
            entry.channel.as_str(),
            &entry.actor,
            &entry.address,
            entry.action.as_str(),
            entry.email.as_deref().unwrap_or_default(),
            &entry.subject,
            &entry.reason,
            &changes.join("; "),
        ],
    );
}

fn change(change: &AuditChange) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    format!("{}: {} -> {}", change.field.as_str(), value(&change.before), value(&change.after))
}
