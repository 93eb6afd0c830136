//! What a shop hands in against a dispute, as one PDF: the customer, what was bought and delivered, its use, and the sign-ins.
use crate::customers::{Parties, customer};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::invoices::paper::Paper;
use crate::invoices::sheet::{MARGIN, RIGHT, SOFT, STRONG, Sheet, TEXT, utc};
use crate::order_rows::rows::OrderRow;
use crate::returns::rows::ReturnRow;
use crate::schema::{accounts, nodes, order_nodes, orders, payment_returns, payments, security_log, usage_days, users};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, PaymentMethod};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::format_gigabytes;
use postern_core::security_log::{SecurityKind, device_name};
use postern_core::time::to_wire;
use postern_core::usage::UsageDimension;
use serde_json::Value;

/// Rows of a table at most: a bank reads the first pages.
const ROWS: i64 = 60;

/// The use that is shown begins this long before the payment.
const DAYS_BEFORE: i64 = 30;

/// Everything in the file, as it is now.
pub struct Evidence {
    row: ReturnRow,
    /// Its id, how it was paid, and when.
    payment: (String, PaymentMethod, NaiveDateTime),
    order_number: String,
    parties: Parties,
    signed_up_at: NaiveDateTime,
    /// The latest orders, newest first.
    orders: Vec<OrderRow>,
    /// The proxies that the payment paid for.
    delivered: Vec<Delivered>,
    /// By day: bytes and requests.
    usage: Vec<(NaiveDateTime, ProxyServerKind, i64, i64, i64)>,
    /// The latest sign-ins, newest first: time, address, browser.
    sign_ins: Vec<(NaiveDateTime, String, String)>,
    currency: Currency,
    now: NaiveDateTime,
}

/// A proxy, and from when until when it was delivered.
type Delivered = (String, Option<NaiveDateTime>, Option<NaiveDateTime>);

/// Gathers the evidence about a return. 3004 if there is none with this id.
pub fn gather(conn: &mut Conn, return_id: i64, now: NaiveDateTime) -> Result<Evidence, AppError> {
    let row = payment_returns::table.find(return_id).select(ReturnRow::as_select());
    let row: ReturnRow = row.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))?;
    let account_id = row.account_id;
    let payment = payments::table.find(row.payment_id);
    type Paid = (String, PaymentMethod, NaiveDateTime, Option<NaiveDateTime>);
    let columns = (payments::public_id, payments::payment_method, payments::created_at, payments::settled_at);
    let (payment, order_id): (Paid, i64) = payment.select((columns, payments::order_id)).first(conn)?;
    let (public_id, method, began_at, settled_at) = payment;
    let paid_at = settled_at.unwrap_or(began_at);
    let (order_number, kind): (String, OrderKind) =
        orders::table.find(order_id).select((orders::order_number, orders::kind)).first(conn)?;
    let own = orders::table.filter(orders::account_id.eq(account_id)).order(orders::id.desc()).limit(ROWS);
    let own: Vec<OrderRow> = own.select(OrderRow::as_select()).load(conn)?;
    // A top-up delivers nothing itself: what was bought since, it may have paid for.
    let is_since = |order: &&OrderRow| order.kind != OrderKind::TopUp && order.created_at >= began_at;
    let paid: Vec<i64> = match kind {
        OrderKind::TopUp => own.iter().filter(is_since).map(|order| order.id).collect(),
        _ => vec![order_id],
    };
    let delivered = order_nodes::table
        .inner_join(nodes::table.on(nodes::id.eq(order_nodes::node_id)))
        .filter(order_nodes::order_id.eq_any(paid))
        .select((nodes::ip, order_nodes::starts_at, order_nodes::ends_at));
    let mut delivered: Vec<Delivered> = delivered.load(conn)?;
    delivered.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    delivered.truncate(usize::try_from(ROWS).unwrap_or_default());
    let usage = usage_days::table
        .filter(usage_days::account_id.eq(account_id))
        .filter(usage_days::dimension.eq(UsageDimension::All))
        .filter(usage_days::starts_at.ge(began_at - TimeDelta::days(DAYS_BEFORE)))
        .order(usage_days::starts_at.desc())
        .limit(ROWS)
        .select((
            usage_days::starts_at,
            usage_days::kind,
            usage_days::upload_bytes,
            usage_days::download_bytes,
            usage_days::requests,
        ));
    let people: Vec<i64> = users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?;
    let mut sign_ins = Vec::new();
    for user_id in people {
        let of_user = security_log::table
            .filter(security_log::user_id.eq(user_id))
            .filter(security_log::kind.eq(SecurityKind::SignedIn))
            .order(security_log::id.desc())
            .limit(ROWS)
            .select((security_log::created_at, security_log::address, security_log::user_agent));
        sign_ins.extend(of_user.load::<(NaiveDateTime, String, String)>(conn)?);
    }
    sign_ins.sort_by_key(|sign_in| std::cmp::Reverse(sign_in.0));
    Ok(Evidence {
        parties: customer(conn, account_id, None)?.parties,
        signed_up_at: accounts::table.find(account_id).select(accounts::created_at).first(conn)?,
        orders: own,
        delivered,
        usage: usage.load(conn)?,
        sign_ins,
        currency: row.reported_currency,
        row,
        payment: (public_id, method, paid_at),
        order_number,
        now,
    })
}

impl Evidence {
    pub fn file_name(&self) -> String {
        format!("evidence-{}", self.order_number)
    }

    fn facts(&self, sheet: &Sheet) -> Vec<(String, String)> {
        let (payment_id, method, paid_at) = &self.payment;
        let facts = [
            ("evidence.payment", payment_id.clone()),
            ("pdf.paidBy", sheet.text(&format!("method.{}", method.as_str()))),
            ("evidence.reference", self.row.reference.clone()),
            ("evidence.disputed", Money::from_minor(self.row.reported_minor).display(self.currency)),
            ("pdf.reason", self.row.reason.clone()),
            ("pdf.paidAt", utc(&to_wire(*paid_at))),
            ("evidence.signedUpAt", utc(&to_wire(self.signed_up_at))),
        ];
        facts.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (sheet.text(key), value)).collect()
    }

    pub fn print(&self, paper: &Paper, language: Language) -> anyhow::Result<Vec<u8>> {
        let Parties { seller, buyer } = &self.parties;
        let mut sheet = Sheet::new(&paper.texts, language, &paper.fonts)?;
        let title = sheet.text("evidence.title");
        sheet.logo(paper.logo.as_deref());
        let facts = self.facts(&sheet);
        sheet.head(&title, &self.order_number, (seller, buyer), facts);
        let until = |at: Option<NaiveDateTime>| at.map_or_else(String::new, |at| utc(&to_wire(at)));
        let orders = self.orders.iter().map(|order| {
            let text = |key: &str| paper.texts.get(language, &format!("orders:{key}"), &Value::Null);
            let kind = text(&format!("kind.{}", order.kind.as_str()));
            let total = Money::from_minor(order.total_minor).display(order.currency);
            let state = text(&format!("state.{}", order.state.as_str()));
            vec![utc(&to_wire(order.created_at)), order.order_number.clone(), kind, format!("{total} · {state}")]
        });
        let orders: Vec<_> = orders.collect();
        let delivered = self.delivered.iter();
        let delivered: Vec<_> = delivered.map(|(ip, from, to)| vec![ip.clone(), until(*from), until(*to)]).collect();
        let usage = self.usage.iter().map(|(day, kind, up, down, requests)| {
            let kind = sheet.text(&format!("evidence.proxies.{}", kind.as_str()));
            let gigabytes = format!("{} GB", format_gigabytes(u64::try_from(up + down).unwrap_or_default()));
            vec![to_wire(*day)[..10].to_owned(), kind, gigabytes, requests.to_string()]
        });
        let usage: Vec<_> = usage.collect();
        let sign_ins = self.sign_ins.iter();
        let sign_ins: Vec<_> = sign_ins
            .map(|(at, address, browser)| vec![utc(&to_wire(*at)), address.clone(), device_name(browser)])
            .collect();
        table(&mut sheet, "orders", &orders);
        table(&mut sheet, "delivered", &delivered);
        table(&mut sheet, "usage", &usage);
        table(&mut sheet, "signIns", &sign_ins);
        sheet.print(&title, &self.order_number, &seller.name, &to_wire(self.now))
    }
}

/// The left edges of a table's columns.
const COLUMNS: [f32; 4] = [MARGIN, MARGIN + 130.0, MARGIN + 270.0, MARGIN + 380.0];

/// A table with its title and the names of its columns, which are texts; it says so if it is empty.
fn table(sheet: &mut Sheet, name: &str, rows: &[Vec<String>]) {
    sheet.break_page_if_needed(4.0 * TEXT.line_height() + 20.0);
    sheet.y += 10.0;
    let title = sheet.text(&format!("evidence.{name}.title"));
    sheet.layout.write(MARGIN, sheet.y, &title, STRONG);
    sheet.y += TEXT.line_height() + 4.0;
    let Some(count) = rows.first().map(Vec::len) else {
        let none = sheet.text("evidence.none");
        sheet.layout.write(MARGIN, sheet.y, &none, SOFT);
        sheet.y += TEXT.line_height() + 6.0;
        return;
    };
    head(sheet, name, count);
    for row in rows {
        if sheet.break_page_if_needed(TEXT.line_height() + 4.0) {
            head(sheet, name, count);
        }
        for (x, cell) in COLUMNS.into_iter().zip(row) {
            sheet.layout.write(x, sheet.y, cell, TEXT);
        }
        sheet.y += TEXT.line_height() + 2.0;
    }
    sheet.y += 6.0;
}

fn head(sheet: &mut Sheet, name: &str, count: usize) {
    for (x, column) in COLUMNS.into_iter().zip(["first", "second", "third", "fourth"]).take(count) {
        let label = sheet.text(&format!("evidence.{name}.{column}"));
        sheet.layout.write(x, sheet.y, &label, SOFT);
    }
    sheet.y += 6.0;
    sheet.layout.rule(MARGIN, sheet.y, RIGHT - MARGIN, 0.5);
    sheet.y += 14.0;
}
