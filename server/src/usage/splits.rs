//! Splits of a range by proxy user, node, country or target: bytes and requests by name, and labels of the names.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{nodes, proxy_users, usage_days, usage_hours, usage_months};
use crate::usage::request::ChartRequest;
use crate::usage::types::UsagePart;
use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Bool};
use postern_core::usage::{UsageDimension, add_bytes};
use postern_core::usage_chart::Span;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Maximum parts of a split listed by name.
const PARTS: usize = 50;

/// Bytes and requests of each name.
type ByName = HashMap<String, (i64, i64)>;

/// Bytes and requests by name over a range of whole hours.
pub fn by_name(
    conn: &mut Conn,
    account_id: i64,
    request: &ChartRequest,
    dimension: UsageDimension,
    hours: Span,
) -> Result<ByName, AppError> {
    let parts = request.parts_of(hours);
    let mut sums = ByName::new();
    macro_rules! add {
        ($table:ident, $spans:expr) => {
            for span in $spans {
                let mut own = $table::table
                    .filter($table::account_id.eq(account_id))
                    .filter($table::kind.eq(request.kind))
                    .filter($table::starts_at.ge(span.from))
                    .filter($table::starts_at.lt(span.to))
                    .group_by($table::name)
                    .select((
                        $table::name,
                        // In two parts, as a sum beyond 63 bits is an error on both databases.
                        sql::<BigInt>("CAST(sum(upload_bytes / 1000000000 + download_bytes / 1000000000) AS BIGINT)"),
                        sql::<BigInt>("CAST(sum(upload_bytes % 1000000000 + download_bytes % 1000000000) AS BIGINT)"),
                        sql::<BigInt>("CAST(sum(requests) AS BIGINT)"),
                    ))
                    .into_boxed();
                own = match request.user.as_ref().filter(|_| dimension == UsageDimension::User) {
                    // Written as in the condition of the partial index.
                    Some(user) => own.filter(sql::<Bool>("dimension = 'user'")).filter($table::name.eq(user)),
                    None => own.filter($table::dimension.eq(dimension)),
                };
                for (name, thousand_millions, rest, requests) in own.load::<(String, i64, i64, i64)>(conn)? {
                    let bytes = thousand_millions.saturating_mul(1_000_000_000).saturating_add(rest);
                    let sum = sums.entry(name).or_default();
                    *sum = (add_bytes(sum.0, bytes), sum.1.saturating_add(requests));
                }
            }
        };
    }
    add!(usage_hours, parts.hours);
    add!(usage_days, parts.days);
    add!(usage_months, parts.months);
    Ok(sums)
}

pub fn all_bytes(sums: &ByName) -> i64 {
    sums.values().fold(0, |sum, (bytes, _)| add_bytes(sum, *bytes))
}

/// The largest parts, and all others as one.
pub fn split(
    conn: &mut Conn,
    account_id: i64,
    dimension: UsageDimension,
    now: ByName,
    mut before: ByName,
) -> Result<Vec<UsagePart>, AppError> {
    let mut named: Vec<(String, (i64, i64))> = now.into_iter().collect();
    named.sort_by(|(one, (bytes, _)), (other, (more, _))| (Reverse(bytes), one).cmp(&(Reverse(more), other)));
    let mut rest = UsagePart::default();
    let mut parts: Vec<UsagePart> = Vec::new();
    for (name, (bytes, requests)) in named {
        if name.is_empty() || parts.len() == PARTS {
            rest.bytes = add_bytes(rest.bytes, bytes);
            rest.requests = rest.requests.saturating_add(requests);
        } else {
            let previous_bytes = before.remove(&name).unwrap_or_default().0;
            parts.push(UsagePart { name, label: None, bytes, requests, previous_bytes });
        }
    }
    rest.previous_bytes = all_bytes(&before);
    label(conn, account_id, dimension, &mut parts)?;
    if rest.bytes > 0 || rest.requests > 0 || rest.previous_bytes > 0 {
        parts.push(rest);
    }
    Ok(parts)
}

/// Adds labels to the parts that still exist and belong to the account.
fn label(conn: &mut Conn, account_id: i64, dimension: UsageDimension, parts: &mut [UsagePart]) -> Result<(), AppError> {
    let ids: Vec<i64> = parts.iter().filter_map(|part| part.name.parse().ok()).collect();
    let labels: Vec<(i64, String)> = match dimension {
        UsageDimension::User => {
            let these = proxy_users::table.filter(proxy_users::id.eq_any(ids));
            let own = these.filter(proxy_users::account_id.eq(account_id));
            own.select((proxy_users::id, proxy_users::name)).load(conn)?
        }
        UsageDimension::Node => {
            let these = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::account_id.eq(account_id));
            these.select((nodes::id, nodes::ip)).load(conn)?
        }
        _ => Vec::new(),
    };
    let mut labels: HashMap<String, String> = labels.into_iter().map(|(id, text)| (id.to_string(), text)).collect();
    for part in parts {
        part.label = labels.remove(&part.name);
    }
    Ok(())
}
