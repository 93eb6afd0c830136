//! The demo's support conversations and canned answers.
use crate::audit::Actor;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{support_attachments, users};
use crate::support::canned;
use crate::support::conversations::{NewMessage, StoredConversation, add, lock_or_begin, mark_read, save};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::support::attachment::check_attachment;
use postern_core::support::canned::CannedAnswerForm;
use postern_core::support::{MessageKind, Side};

const OPERATOR: &str = "Robin";

const LOG: &str = "2026-11-20 09:11:48 CONNECT www.example.com:443 via 127.16.3.7:17000\n\
    2026-11-20 09:11:48 HTTP/1.1 407 Proxy Authentication Required\n\
    2026-11-20 09:11:50 retry 1 of 3\n\
    2026-11-20 09:11:50 HTTP/1.1 407 Proxy Authentication Required\n";

/// Sender, age in minutes, and text of a message.
type DemoMessage = (Side, i64, &'static str);

const CUSTOMER: &[DemoMessage] = &[
    (
        Side::Customer,
        3_012,
        "Hello, since this morning one of my servers gets 407 from all static proxies. The others work.",
    ),
    (
        Side::Operator,
        3_006,
        "Hello, thanks for the log. The server connects from an address that is not on your whitelist.",
    ),
    (
        Side::Operator,
        3_005,
        "If its address has changed, add the new one under Static residential → Proxy setup. It takes effect within a minute.",
    ),
    (Side::Customer, 2_990, "That was it, our provider moved us. Works again, thank you!"),
    (
        Side::Customer,
        95,
        "Another question: can I have an invoice in the name of our new company for last month's orders?",
    ),
    (
        Side::Operator,
        42,
        "Invoices keep the details they were issued with, but all new ones take them from Transactions → Billing details. Shall I explain what your accountant needs for the old ones?",
    ),
];

const RESELLER: &[DemoMessage] = &[(
    Side::Customer,
    18,
    "Do you have more than 200 dedicated IPs in Frankfurt? A customer of ours needs them by Friday.",
)];

const ANSWERS: &[(&str, &str)] = &[
    ("Greeting", "Hello {name}, thank you for writing to {shop}. "),
    (
        "407: whitelist or password",
        "A 407 means that the proxy knows neither the address nor the password. Please check under Proxy setup whether the address of your server is on the whitelist, or send user name and password as shown in the proxy list.",
    ),
    (
        "Refund",
        "I have refunded the unused days to your wallet. The credit note is with your order.\n\n{operator}, {shop}",
    ),
    ("中文问候", "{name}，您好！感谢联系 {shop}，请问有什么可以帮您？"),
];

/// The account and the user with this address.
fn user(conn: &mut Conn, email: &str) -> Result<(i64, i64), AppError> {
    Ok(users::table.filter(users::email.eq(email)).select((users::account_id, users::id)).first(conn)?)
}

pub fn seed_support(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    let (_, operator) = user(conn, "operator@example.com")?;
    for (title, text) in ANSWERS {
        let form = CannedAnswerForm { title: (*title).to_owned(), text: (*text).to_owned() };
        canned::save(conn, None, &form, &Actor::command(), now)?;
    }
    let (customer, customer_user) = user(conn, "customer@example.com")?;
    let log = attach(conn, customer_user, now)?;
    talk(conn, customer, customer_user, operator, CUSTOMER, &[log], now)?;
    let (reseller, reseller_user) = user(conn, "reseller@example.com")?;
    talk(conn, reseller, reseller_user, operator, RESELLER, &[], now)
}

fn attach(conn: &mut Conn, user_id: i64, now: NaiveDateTime) -> Result<i64, AppError> {
    use support_attachments::dsl;
    let file = check_attachment("connect.log", LOG.as_bytes())?;
    let row = (
        dsl::user_id.eq(user_id),
        dsl::name.eq(&file.name),
        dsl::kind.eq(file.kind),
        dsl::size_bytes.eq(LOG.len() as i64),
        dsl::created_at.eq(now),
        dsl::content.eq(LOG.as_bytes()),
    );
    Ok(diesel::insert_into(dsl::support_attachments).values(row).returning(dsl::id).get_result(conn)?)
}

/// Seeds a conversation; the first message has the files. No mails are sent for these old messages.
fn talk(
    conn: &mut Conn,
    account_id: i64,
    user_id: i64,
    operator: i64,
    messages: &[DemoMessage],
    files: &[i64],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let begun = now - TimeDelta::minutes(messages.first().map_or(0, |first| first.1));
    let mut row: StoredConversation = lock_or_begin(conn, account_id, begun)?;
    for (index, (side, minutes_ago, text)) in messages.iter().enumerate() {
        let is_operator = *side == Side::Operator;
        let new = NewMessage {
            kind: MessageKind::Text,
            side: *side,
            user_id: if is_operator { operator } else { user_id },
            author: if is_operator { OPERATOR } else { "" },
            text,
            attachment_ids: if index == 0 { files } else { &[] },
        };
        add(conn, &mut row, &new, now - TimeDelta::minutes(*minutes_ago))?;
    }
    for side in Side::ALL {
        let newest = row.last_of(side.other());
        row.set_reading(*side, row.reading(*side).after_mail(newest));
    }
    save(conn, &row, now)?;
    // The customer has read all but the last reply.
    let before_last = row.last_id - 1;
    mark_read(conn, account_id, Side::Customer, before_last, now).map(drop)
}
