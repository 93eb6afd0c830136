//! SQL of the export: each section loads the next rows of one table. Hashes and encrypted values are left out.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{
    accounts, api_keys, auto_top_ups, avatars, email_changes, endpoint_lists, endpoint_presets, events, invoices,
    known_devices, ledger_transactions, node_switches, nodes, order_lines, orders, payments, plan_groups, plans,
    proxy_user_addresses, proxy_users, refunds, remembered_cards, security_log, sessions, traffic_batches,
    traffic_reorders, usage_days, users, wallets, white_list,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDateTime;
use postern_core::account::{AccountState, EmailChangeState};
use postern_core::event::EventKind;
use postern_core::invoice::InvoiceKind;
use postern_core::language::Language;
use postern_core::ledger::EntryKind;
use postern_core::money::{Currency, Money};
use postern_core::node::{AccessMode, NodeState};
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState};
use postern_core::permission::Level;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{LimitCycle, ProxyUserState};
use postern_core::security_log::SecurityKind;
use postern_core::switch::SwitchMode;
use postern_core::time::to_wire;
use postern_core::usage::UsageDimension;
use serde_json::{Map, Value, json};

/// Rows loaded at a time.
const CHUNK: usize = 1_000;

/// The next rows of a section.
pub struct Part {
    pub rows: Vec<Value>,
    /// The row after which the next part begins; absent after the last part.
    pub next: Option<i64>,
}

impl Part {
    /// A section that is loaded in one part.
    fn whole(rows: Vec<Value>) -> Part {
        Part { rows, next: None }
    }

    /// A part of a section whose rows have an `Id`.
    fn of(rows: Vec<Value>) -> Part {
        let next = rows.last().filter(|_| rows.len() == CHUNK).and_then(|row| row["Id"].as_i64());
        Part { rows, next }
    }
}

type Load = fn(&mut Conn, i64, i64) -> Result<Part, AppError>;

/// The sections in the order of the file. `load` takes the account and the row after which the part begins.
pub const SECTIONS: &[(&str, Load)] = &[
    ("Account", account),
    ("Users", of_users),
    ("Sessions", of_sessions),
    ("Devices", devices),
    ("SecurityLog", log),
    ("EmailChanges", of_email_changes),
    ("ApiKeys", keys),
    ("Picture", picture),
    ("Wallet", wallet),
    ("Transactions", transactions),
    ("Orders", of_orders),
    ("Invoices", of_invoices),
    ("Cards", cards),
    ("AutoTopUp", auto_top_up),
    ("Plans", of_plans),
    ("Proxies", proxies),
    ("Groups", groups),
    ("Whitelist", whitelist),
    ("Switches", switches),
    ("Traffic", traffic),
    ("Reorder", reorder),
    ("ProxyUsers", of_proxy_users),
    ("ProxyUserAddresses", addresses),
    ("Usage", usage),
    ("Presets", presets),
    ("ListUrls", list_urls),
    ("Events", of_events),
];

fn plain<T: serde::Serialize>(value: T) -> Value {
    json!(value)
}

/// A time in wire format, in UTC.
fn time(value: NaiveDateTime) -> Value {
    to_wire(value).into()
}

fn maybe_time(value: Option<NaiveDateTime>) -> Value {
    value.map(to_wire).into()
}

fn money(minor: i64) -> Value {
    json!(Money::from_minor(minor))
}

/// Parses a text that is already JSON.
fn inner(text: String) -> Value {
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// The rows of a query as objects: each column with its type, its conversion to JSON, and its name.
macro_rules! objects {
    ($conn:expr, $query:expr, $table:ident, { $($column:ident: $type:ty => $tell:ident as $name:literal),+ $(,)? }) => {{
        let rows: Vec<($($type,)+)> = $query.select(($($table::$column,)+)).load($conn)?;
        let object = |($($column,)+): ($($type,)+)| {
            let mut object = Map::new();
            $(object.insert($name.to_owned(), $tell($column));)+
            Value::Object(object)
        };
        rows.into_iter().map(object).collect::<Vec<Value>>()
    }};
}

/// A section with the rows of a table that belong to an account, ordered by id.
macro_rules! section {
    ($name:ident, $table:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::account_id.eq(account_id)).filter($table::id.gt(after));
            let own = own.order($table::id).limit(CHUNK as i64);
            Ok(Part::of(objects!(conn, own, $table, { id: i64 => plain as "Id", $($fields)+ })))
        }
    };
}

/// The same for a table whose rows belong to users.
macro_rules! section_of_users {
    ($name:ident, $table:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::user_id.eq_any(user_ids(conn, account_id)?));
            let own = own.filter($table::id.gt(after)).order($table::id).limit(CHUNK as i64);
            Ok(Part::of(objects!(conn, own, $table, { id: i64 => plain as "Id", $($fields)+ })))
        }
    };
}

/// The same for a table with one row for an account.
macro_rules! section_of_one {
    ($name:ident, $table:ident by $owner:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::$owner.eq(account_id));
            Ok(Part::whole(objects!(conn, own, $table, { $($fields)+ })))
        }
    };
}

fn user_ids(conn: &mut Conn, account_id: i64) -> Result<Vec<i64>, AppError> {
    Ok(users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?)
}

section_of_one!(account, accounts by id, {
    id: i64 => plain as "AccountId",
    level: Level => plain as "Level",
    state: AccountState => plain as "State",
    invite_code: String => plain as "InvitationCode",
    marketing: String => inner as "Marketing",
    company_name: String => plain as "CompanyName",
    first_name: String => plain as "FirstName",
    last_name: String => plain as "LastName",
    address: String => plain as "Address",
    city: String => plain as "City",
    country: String => plain as "Country",
    postal_code: String => plain as "PostalCode",
    phone: String => plain as "Phone",
    tax_number: String => plain as "TaxNumber",
    website: String => plain as "Website",
    messenger: String => plain as "Messenger",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(of_users, users, {
    email: String => plain as "Email",
    language: Language => plain as "Language",
    time_zone: String => plain as "TimeZone",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of_users!(of_sessions, sessions, {
    address: String => plain as "Address",
    user_agent: String => plain as "UserAgent",
    created_at: NaiveDateTime => time as "CreatedAt",
    last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    expires_at: NaiveDateTime => time as "ExpiresAt",
    revoked_at: Option<NaiveDateTime> => maybe_time as "RevokedAt",
});

fn devices(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = known_devices::table.filter(known_devices::user_id.eq_any(user_ids(conn, account_id)?));
    Ok(Part::whole(objects!(conn, own, known_devices, {
        first_seen_at: NaiveDateTime => time as "FirstSeenAt",
        last_seen_at: NaiveDateTime => time as "LastSeenAt",
    })))
}

section_of_users!(log, security_log, {
    kind: SecurityKind => plain as "Kind",
    address: String => plain as "Address",
    user_agent: String => plain as "UserAgent",
    detail: String => plain as "Detail",
    created_at: NaiveDateTime => time as "At",
});

section_of_users!(of_email_changes, email_changes, {
    old_email: String => plain as "OldEmail",
    new_email: String => plain as "NewEmail",
    state: EmailChangeState => plain as "State",
    created_at: NaiveDateTime => time as "CreatedAt",
});

fn keys(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = api_keys::table.filter(api_keys::account_id.eq(account_id)).filter(api_keys::revoked_at.is_null());
    Ok(Part::whole(objects!(conn, own.order(api_keys::id), api_keys, {
        name: String => plain as "Name",
        prefix: String => plain as "Prefix",
        scopes: String => inner as "Scopes",
        addresses: String => inner as "Addresses",
        created_at: NaiveDateTime => time as "CreatedAt",
        expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
        last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
        last_used_address: Option<String> => plain as "LastUsedAddress",
    })))
}

/// The bytes of a PNG in base64.
fn bytes(value: Vec<u8>) -> Value {
    STANDARD.encode(value).into()
}

section_of_one!(picture, avatars by account_id, {
    png: Vec<u8> => bytes as "Png",
    changed_at: NaiveDateTime => time as "ChangedAt",
});

section_of_one!(wallet, wallets by account_id, {
    currency: Currency => plain as "Currency",
    balance_minor: i64 => money as "Balance",
    total_expenses_minor: i64 => money as "TotalExpenses",
});

section!(transactions, ledger_transactions, {
    kind: EntryKind => plain as "Kind",
    order_id: Option<i64> => plain as "OrderId",
    wallet_change_minor: i64 => money as "WalletChange",
    balance_after_minor: i64 => money as "BalanceAfter",
    currency: Currency => plain as "Currency",
    created_at: NaiveDateTime => time as "CreatedAt",
});

/// Orders with their lines, payments and refunds.
fn of_orders(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = orders::table.filter(orders::account_id.eq(account_id)).filter(orders::id.gt(after));
    let own = own.order(orders::id).limit(CHUNK as i64);
    let mut rows = objects!(conn, own, orders, {
        id: i64 => plain as "Id",
        order_number: String => plain as "OrderNumber",
        kind: OrderKind => plain as "Kind",
        state: OrderState => plain as "State",
        currency: Currency => plain as "Currency",
        ver_str: Option<String> => plain as "VerStr",
        period_days: Option<i32> => plain as "PeriodDays",
        subtotal_minor: i64 => money as "Subtotal",
        discount_minor: i64 => money as "Discount",
        total_minor: i64 => money as "Total",
        refunded_minor: i64 => money as "Refunded",
        coupon: Option<String> => plain as "Coupon",
        created_at: NaiveDateTime => time as "CreatedAt",
        paid_at: Option<NaiveDateTime> => maybe_time as "PaidAt",
        ended_at: Option<NaiveDateTime> => maybe_time as "EndedAt",
    });
    let ids: Vec<i64> = rows.iter().filter_map(|row| row["Id"].as_i64()).collect();
    let lines = objects!(conn, order_lines::table.filter(order_lines::order_id.eq_any(&ids)), order_lines, {
        order_id: i64 => plain as "OrderId",
        ver_str: String => plain as "VerStr",
        country: Option<String> => plain as "Country",
        city: Option<String> => plain as "City",
        quantity: i32 => plain as "Quantity",
        unit_price_minor: i64 => money as "UnitPrice",
        amount_minor: i64 => money as "Amount",
    });
    let attempts = objects!(conn, payments::table.filter(payments::order_id.eq_any(&ids)), payments, {
        order_id: i64 => plain as "OrderId",
        payment_method: PaymentMethod => plain as "PaymentMethod",
        state: PaymentState => plain as "State",
        amount_minor: i64 => money as "Amount",
        created_at: NaiveDateTime => time as "CreatedAt",
        settled_at: Option<NaiveDateTime> => maybe_time as "SettledAt",
    });
    let given_back = objects!(conn, refunds::table.filter(refunds::order_id.eq_any(&ids)), refunds, {
        order_id: i64 => plain as "OrderId",
        amount_minor: i64 => money as "Amount",
        reason: String => plain as "Reason",
        created_at: NaiveDateTime => time as "CreatedAt",
    });
    for (name, of_orders) in [("Lines", lines), ("Payments", attempts), ("Refunds", given_back)] {
        attach(&mut rows, name, of_orders);
    }
    Ok(Part::of(rows))
}

/// Attaches each of these to its order.
fn attach(orders: &mut [Value], name: &str, of_orders: Vec<Value>) {
    for order in orders.iter_mut() {
        order[name] = json!([]);
    }
    for mut one in of_orders {
        let order_id = one.as_object_mut().and_then(|object| object.remove("OrderId"));
        // The orders are sorted by id.
        let found = orders.binary_search_by_key(&order_id.and_then(|id| id.as_i64()), |order| order["Id"].as_i64());
        if let Some(list) = found.ok().and_then(|index| orders[index][name].as_array_mut()) {
            list.push(one);
        }
    }
}

section!(of_invoices, invoices, {
    kind: InvoiceKind => plain as "Kind",
    invoice_number: String => plain as "InvoiceNumber",
    order_id: i64 => plain as "OrderId",
    currency: Currency => plain as "Currency",
    total_minor: i64 => money as "Total",
    snapshot: String => inner as "Document",
    issued_at: NaiveDateTime => time as "IssuedAt",
});

fn cards(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    // Only the current card: forgotten ones are about to be deleted.
    let own = remembered_cards::table.filter(remembered_cards::account_id.eq(account_id));
    let own = own.filter(remembered_cards::forgotten_at.is_null());
    Ok(Part::whole(objects!(conn, own, remembered_cards, {
        payment_method: PaymentMethod => plain as "PaymentMethod",
        brand: String => plain as "Brand",
        last_four: String => plain as "LastFour",
        expires_month: i32 => plain as "ExpiresMonth",
        expires_year: i32 => plain as "ExpiresYear",
        created_at: NaiveDateTime => time as "CreatedAt",
    })))
}

section_of_one!(auto_top_up, auto_top_ups by account_id, {
    is_on: bool => plain as "IsOn",
    threshold_minor: i64 => money as "Threshold",
    amount_minor: i64 => money as "Amount",
    monthly_limit_minor: i64 => money as "MonthlyLimit",
    agreed_at: NaiveDateTime => time as "AgreedAt",
});

section!(of_plans, plans, {
    ver_str: String => plain as "VerStr",
    auto_renew: bool => plain as "AutoRenew",
    access_mode: AccessMode => plain as "AccessMode",
    user_name: Option<String> => plain as "UserName",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(proxies, nodes, {
    ip: String => plain as "Ip",
    country: String => plain as "Country",
    city: String => plain as "City",
    isp: String => plain as "Isp",
    ver_str: String => plain as "VerStr",
    state: NodeState => plain as "State",
    group_id: Option<i64> => plain as "GroupId",
    user_name: Option<String> => plain as "UserName",
    note: String => plain as "Note",
    auto_renew: bool => plain as "AutoRenew",
    assigned_at: Option<NaiveDateTime> => maybe_time as "AssignedAt",
    expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
});

section!(groups, plan_groups, {
    name: String => plain as "Name",
    colour: String => plain as "Colour",
    note: String => plain as "Note",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(whitelist, white_list, {
    ver_str: String => plain as "VerStr",
    address: String => plain as "Address",
    label: String => plain as "Label",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(switches, node_switches, {
    old_ip: String => plain as "OldIp",
    new_ip: String => plain as "NewIp",
    mode: SwitchMode => plain as "Mode",
    reason: String => plain as "Reason",
    cost_minor: i64 => money as "Cost",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(traffic, traffic_batches, {
    order_id: i64 => plain as "OrderId",
    bought_bytes: i64 => plain as "BoughtBytes",
    used_bytes: i64 => plain as "UsedBytes",
    returned_bytes: i64 => plain as "ReturnedBytes",
    begins_at: NaiveDateTime => time as "BeginsAt",
    ends_at: Option<NaiveDateTime> => maybe_time as "EndsAt",
});

section_of_one!(reorder, traffic_reorders by account_id, {
    is_on: bool => plain as "IsOn",
    threshold_bytes: i64 => plain as "ThresholdBytes",
    gigabytes: i32 => plain as "Gigabytes",
    period_days: i32 => plain as "PeriodDays",
    monthly_limit_minor: i64 => money as "MonthlyLimit",
    agreed_at: NaiveDateTime => time as "AgreedAt",
});

fn of_proxy_users(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let own = own.filter(proxy_users::deleted_at.is_null()).filter(proxy_users::id.gt(after));
    Ok(Part::of(objects!(conn, own.order(proxy_users::id).limit(CHUNK as i64), proxy_users, {
        id: i64 => plain as "Id",
        name: String => plain as "Name",
        note: String => plain as "Note",
        state: ProxyUserState => plain as "State",
        limit_bytes: Option<i64> => plain as "LimitBytes",
        limit_cycle: LimitCycle => plain as "LimitCycle",
        used_bytes: i64 => plain as "UsedBytes",
        total_bytes: i64 => plain as "TotalBytes",
        countries: String => plain as "Countries",
        created_at: NaiveDateTime => time as "CreatedAt",
        expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
        last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    })))
}

section!(addresses, proxy_user_addresses, {
    proxy_user_id: i64 => plain as "ProxyUserId",
    address: String => plain as "Address",
    label: String => plain as "Label",
    created_at: NaiveDateTime => time as "CreatedAt",
});

/// Daily totals: one row per day and kind.
fn usage(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = usage_days::table.filter(usage_days::account_id.eq(account_id));
    let own = own.filter(usage_days::dimension.eq(UsageDimension::All)).order(usage_days::starts_at);
    Ok(Part::whole(objects!(conn, own, usage_days, {
        kind: ProxyServerKind => plain as "Kind",
        starts_at: NaiveDateTime => time as "StartsAt",
        upload_bytes: i64 => plain as "UploadBytes",
        download_bytes: i64 => plain as "DownloadBytes",
        requests: i64 => plain as "Requests",
    })))
}

section!(presets, endpoint_presets, {
    name: String => plain as "Name",
    settings: String => inner as "Settings",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section!(list_urls, endpoint_lists, {
    proxy_user_id: i64 => plain as "ProxyUserId",
    name: String => plain as "Name",
    settings: String => inner as "Settings",
    created_at: NaiveDateTime => time as "CreatedAt",
    last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    last_address: Option<String> => plain as "LastAddress",
});

section!(of_events, events, {
    kind: EventKind => plain as "Kind",
    data: String => inner as "Data",
    created_at: NaiveDateTime => time as "CreatedAt",
});
