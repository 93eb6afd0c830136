//! No query of the API and the jobs scans a whole table that can grow: queries are recorded while every call and job runs, and the database is asked
//! for their plans.
#[allow(dead_code)]
#[path = "api/carriers.rs"]
mod carriers;
#[allow(dead_code)]
#[path = "api/receiver.rs"]
mod receiver;
#[allow(dead_code)]
#[path = "api/shop.rs"]
mod shop;
#[path = "plans/support.rs"]
mod support;

use chrono::TimeDelta;
use diesel::connection::{InstrumentationEvent, SimpleConnection, set_default_instrumentation};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use postern_core::time::to_wire;
use postern_server::app::openapi;
use postern_server::db::Conn;
use postern_server::wallet::verify::verify;
use receiver::{Manner, Receiver};
use serde_json::{Value, json};
use shop::{Customer, PASSWORD, REGULAR, Shop, order_for};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Tables that may be scanned as a whole, and why.
const SMALL: &[(&str, &str)] = &[
    ("tiers", "a handful, the seller's products"),
    ("periods", "a handful"),
    ("quantity_steps", "a handful"),
    ("targets", "the seller's use cases, some dozens"),
    ("secret_checks", "one row"),
    ("write_probes", "one row"),
    ("limits", "a handful, the seller's"),
    ("hold_steps", "a handful, the seller's"),
    ("traffic_steps", "some dozens, the seller's"),
    ("forged_callbacks", "one row for each gateway and day of a week"),
    ("sellers", "one row"),
    ("invoice_counters", "two rows a year"),
    ("alarms", "one row for each kind"),
    ("link_requests", "those of the last second: a job answers and deletes them"),
    ("failed_sign_ins", "those of the last seconds: a job writes them to the log and deletes them"),
    ("daily_jobs", "one row for each job"),
    ("list_changes", "what came since a job added it up last"),
    ("proxy_servers", "some dozens, the seller's"),
    ("rejected_usage", "at most a thousand for each proxy server"),
    ("support_canned_answers", "a hundred at most, the seller's"),
    ("usage_reports", "those of the last second: a job adds them up and deletes them"),
    ("referral_rules", "a handful, the seller's"),
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
    "support_conversations_to_tell_customers",
    "support_conversations_to_tell_operators",
];

/// Disables autovacuum's statistics during the calls: the plans would depend on its timing.
const COUNT_ONCE: &str = "DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', one);
    END LOOP;
END $$";

static RECORDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records the text of a query, without its values and with lists of any length normalised.
fn record(event: InstrumentationEvent<'_>) {
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

/// Thousands of rows in every table that grows, so that PostgreSQL plans as for a real shop.
fn fill(shop: &Shop) {
    let many = |count: u32, insert: &str| {
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <";
        format!("{numbers} {count}) INSERT INTO {insert} FROM n;")
    };
    let then = "'2026-01-01 00:00:00'";
    let texts = [
        many(2_000, &format!("accounts (invite_code, created_at) SELECT 'code' || i, {then}")),
        many(2_000, &format!("users (account_id, email, password_hash, language, time_zone, created_at) SELECT i, 'u' || i, '', 'en', 'UTC', {then}")),
        many(2_000, "wallets (account_id, currency) SELECT i, 'USD'"),
        many(5_000, &format!("account_terms_changes (account_id, user_id, from_level, from_basis_points, to_level, to_basis_points, created_at) SELECT 1 + i % 2000, 1 + i % 2000, 0, 0, 1, 1500, {then}")),
        many(5_000, &format!("account_changes (account_id, user_id, change, reason, created_at) SELECT 1 + i % 2000, 1 + i % 2000, 'resumed', '', {then}")),
        many(5_000, &format!("api_keys (account_id, user_id, name, key_sha256, prefix, scopes, created_at) SELECT 1 + i % 2000, 1 + i % 2000, 'k', 'k' || i, '', '[]', {then}")),
        many(5_000, &format!("sessions (user_id, token_sha256, address, user_agent, created_at, expires_at) SELECT 1 + i % 2000, 't' || i, '', '', {then}, '2027-01-01 00:00:00'")),
        many(2_000, &format!("sign_ups (token_sha256, email, password_hash, invite_code, marketing, language, time_zone, created_at, expires_at) SELECT 't' || i, 's' || i, '', '', '', 'en', 'UTC', {then}, '2027-01-01 00:00:00'")),
        many(2_000, &format!("password_resets (token_sha256, user_id, created_at, expires_at) SELECT 't' || i, 1 + i % 2000, {then}, '2027-01-01 00:00:00'")),
        many(5_000, &format!("known_devices (user_id, device_sha256, first_seen_at, last_seen_at) SELECT 1 + i % 2000, 'd' || i, {then}, {then}")),
        many(2_000, &format!("two_factors (user_id, secret_sealed, begun_at, turned_on_at) SELECT i, '', {then}, CASE i % 2 WHEN 0 THEN CAST('2026-01-01 00:00:00' AS TIMESTAMP) END")),
        many(20_000, "recovery_codes (user_id, code_hash) SELECT 1 + i % 2000, 'h' || i"),
        many(20_000, &format!("security_log (user_id, kind, address, user_agent, created_at) SELECT 1 + i % 2000, 'signed_in', '', '', {then}")),
        many(5_000, &format!("email_changes (user_id, old_email, new_email, confirm_sha256, stop_sha256, state, created_at) SELECT 1 + i % 2000, '', '', 'c' || i, 's' || i, 'stopped', {then}")),
        many(2_000, "throttles (bucket, hits, window_ends_at) SELECT 'b' || i, 1, '2027-01-01 00:00:00'"),
        many(5_000, &format!("mails (recipient, language, template, parameters, state, next_attempt_at, created_at) SELECT 'u' || i, 'en', '', '', 'sent', {then}, {then}")),
        many(5_000, &format!("idempotency_keys (account_id, idempotency_key, body_sha256, answer, created_at) SELECT 1 + i % 2000, 'k' || i, '', '', {then}")),
        many(2_000, &format!("plans (account_id, ver_str, created_at) SELECT i, '{REGULAR}', {then}")),
        many(4_000, &format!("plan_groups (account_id, name, colour, created_at) SELECT 1 + i % 2000, 'g' || i, '', {then}")),
        many(2_000, &format!("coupons (code, basis_points, minimum_minor, created_at) SELECT 'CODE' || i, 100, 0, {then}")),
        many(10_000, &format!("orders (coupon, order_number, account_id, kind, state, currency, subtotal_minor, discount_minor, total_minor, created_at, expires_at) SELECT CASE i % 9 WHEN 0 THEN 'CODE' || (1 + i % 2000) END, 'o' || i, 1 + i % 2000, 'purchase', 'fulfilled', 'USD', 500, 0, 500, {then}, {then}")),
        many(10_000, &format!("order_lines (order_id, ver_str, quantity, unit_price_minor, amount_minor, net_minor) SELECT i, '{REGULAR}', 1, 500, 500, 500")),
        many(30_000, &format!("nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, state, account_id, group_id, expires_at) SELECT 'n' || i, 80, 81, 'US', 'city' || (i % 50), 'isp' || (i % 5), 1, '{REGULAR}', 2, CASE i % 3 WHEN 0 THEN 'assigned' ELSE 'available' END, CASE i % 3 WHEN 0 THEN 1 + i % 2000 END, CASE i % 6 WHEN 0 THEN 1 + i % 4000 END, CASE i % 3 WHEN 0 THEN '2028-01-01 00:00:00' END")).replace("'2028-01-01 00:00:00' END", "CAST('2028-01-01 00:00:00' AS TIMESTAMP) END"),
        "INSERT INTO targets VALUES ('search', '', '', '', 1), ('travel', '', '', '', 2);".to_owned(),
        "INSERT INTO node_targets SELECT 'search', id FROM nodes;".to_owned(),
        "INSERT INTO node_targets SELECT 'travel', id FROM nodes WHERE id % 2 = 0;".to_owned(),
        many(10_000, "order_nodes (order_id, node_id, net_minor) SELECT i, i, 500"),
        many(10_000, &format!("node_switches (account_id, user_id, old_node_id, new_node_id, old_ip, new_ip, country, city, ver_str, mode, uses_quota, reason, cost_minor, currency, created_at) SELECT 1 + i % 2000, 1 + i % 2000, i, i + 1, '', '', '', '', '{REGULAR}', 'quota', TRUE, '', 0, 'USD', {then}")),
        many(5_000, &format!("white_list (account_id, ver_str, address, created_at) SELECT 1 + i % 2000, '{REGULAR}', 'w' || i, {then}")),
        many(10_000, &format!("payments (public_id, account_id, order_id, payment_method, state, amount_minor, currency, language, created_at) SELECT 'p' || i, 1 + i % 2000, i, 'wallet', 'succeeded', 500, 'USD', 'en', {then}")),
        many(2_000, &format!("remembered_cards (account_id, payment_method, brand, last_four, expires_month, expires_year, created_at) SELECT i, 'sandbox', '', '', 1, 2030, {then}")),
        many(5_000, &format!("card_requests (public_id, account_id, payment_method, state, language, created_at) SELECT 'c' || i, 1 + i % 2000, 'sandbox', 'succeeded', 'en', {then}")),
        many(2_000, &format!("auto_top_ups (account_id, is_on, threshold_minor, amount_minor, monthly_limit_minor, agreed_at) SELECT i, FALSE, 1, 1, 1, {then}")),
        many(5_000, "sandbox_cards (public_id, behaviour) SELECT 'c' || i, 'good'"),
        many(5_000, "sandbox_charges (public_id, amount_minor, currency, outcome) SELECT 'p' || i, 500, 'USD', 'approved'"),
        many(5_000, &format!("gateway_callbacks (gateway, payment_id, body, signature, received_at, judged_at) SELECT 'sandbox', i, '', '', {then}, {then}")),
        many(10_000, &format!("ledger_transactions (account_id, kind, reference, order_id, wallet_change_minor, balance_after_minor, currency, created_at) SELECT 1 + i % 2000, 'purchase', 'r' || i, i, 0, 0, 'USD', {then}")),
        "INSERT INTO invoice_counters VALUES ('INV-2025', 10000), ('CN-2025', 10000);".to_owned(),
        many(10_000, &format!("invoices (kind, invoice_number, series, number_in_series, account_id, order_id, currency, total_minor, snapshot, issued_at) SELECT 'invoice', 'INV-2025-' || i, 'INV-2025', i, 1 + i % 2000, i, 'USD', 500, '', {then}")),
        many(10_000, &format!("invoices (kind, invoice_number, series, number_in_series, account_id, order_id, corrects_id, currency, total_minor, snapshot, issued_at) SELECT 'credit_note', 'CN-2025-' || i, 'CN-2025', i, 1 + i % 2000, i, i, 'USD', 500, '', {then}")),
        many(5_000, &format!("refunds (order_id, account_id, credit_note_id, amount_minor, reason, created_at) SELECT i, 1 + i % 2000, 10000 + i, 500, '', {then}")),
        many(5_000, "refund_nodes (refund_id, node_id, ended_node_id, paid_minor, refunded_minor, unused_seconds, amount_minor) SELECT i, i, i, 500, 0, 1, 1"),
        many(20_000, &format!("proxy_users (account_id, name, password_sealed, state, limit_cycle, cycle_starts_at, created_at, changed_at) SELECT 1 + i % 2000, 'proxy_' || i, '', 'active', 'none', {then}, {then}, {then}")),
        many(5_000, &format!("proxy_user_addresses (account_id, proxy_user_id, address, created_at) SELECT 1 + i % 2000, i, 'a' || i, {then}")),
        many(20_000, &format!("usage_hours (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) SELECT 1 + i % 2000, 'residential', 'target', {then}, 't' || i, 1, 1, 1")),
        many(20_000, &format!("usage_days (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) SELECT 1 + i % 2000, 'residential', 'target', {then}, 't' || i, 1, 1, 1")),
        many(20_000, &format!("usage_months (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) SELECT 1 + i % 2000, 'residential', 'target', {then}, 't' || i, 1, 1, 1")),
        many(10_000, &format!("traffic_batches (account_id, order_id, bought_bytes, begins_at) SELECT 1 + i % 2000, i, 1000, {then}")),
        many(2_000, &format!("traffic_accounts (account_id, changed_at) SELECT i, {then}")),
        many(2_000, &format!("traffic_reorders (account_id, is_on, threshold_bytes, gigabytes, period_days, monthly_limit_minor, agreed_at) SELECT i, FALSE, 1, 1, 0, 1, {then}")),
        many(20_000, &format!("events (account_id, kind, data, created_at, is_dispatched) SELECT 1 + i % 2000, 'order.paid', '{{}}', {then}, TRUE")),
        many(2_000, "notification_reads (user_id, event_id) SELECT i, i"),
        many(2_000, "notification_choices (user_id, kind, on_screen, by_mail) SELECT i, 'order.paid', TRUE, TRUE"),
        many(1_900, &format!("referrals (account_id, referrer_id, rule_id, created_at) SELECT 1 + i, 1 + i / 2, 1, {then}")),
        many(1_900, &format!("commissions (referrer_id, account_id, order_id, rate_basis_points, earned_minor, amount_minor, currency, state, available_at, created_at) SELECT 1 + i / 2, 1 + i, i, 1000, 50, 50, 'USD', 'available', {then}, {then}")),
        many(2_000, "referrers (account_id, owed_minor) SELECT i, 0"),
        many(5_000, &format!("commission_moves (account_id, amount_minor, owed_minor, currency, created_at) SELECT 1 + i % 2000, 1, 0, 'USD', {then}")),
        many(5_000, &format!("commission_take_backs (commission_id, refund_id, from_commission_minor, from_wallet_minor, owed_minor, created_at) SELECT 1 + i % 1900, i, 1, 0, 0, {then}")),
        many(2_000, &format!("webhooks (account_id, url, description, state, secret_sealed, created_at) SELECT i, '', '', 'enabled', '', {then}")),
        many(20_000, &format!("webhook_deliveries (webhook_id, account_id, event_id, message_id, kind, state, body, created_at) SELECT 1 + i % 2000, 1 + i % 2000, -i, '', 'order.paid', 'delivered', '', {then}")),
        many(20_000, &format!("webhook_attempts (delivery_id, webhook_id, attempted_at, duration_ms, request_headers, answer_headers, answer) SELECT i, 1 + i % 2000, {then}, 1, '', '', ''")),
        many(10_000, "ledger_entries (transaction_id, book, account_id, amount_minor) SELECT i, 'wallet', 1 + i % 2000, 1"),
    ];
    let of_support = support::ROWS.iter().map(|(count, insert)| many(*count, &insert.replace("THEN", then)));
    let texts: Vec<String> = texts.into_iter().chain(of_support).collect();
    let filled = shop.app.db.write_blocking(|conn| {
        for text in &texts {
            // SQLite stores times as text, and its CAST would make numbers of them.
            let text = match conn {
                Conn::Postgres(_) => text.clone(),
                Conn::Sqlite(_) => text.replace("CAST(", "(").replace(" AS TIMESTAMP)", ")"),
            };
            conn.batch_execute(&text)?;
        }
        if matches!(conn, Conn::Postgres(_)) {
            conn.batch_execute(COUNT_ONCE)?;
        }
        Ok(conn.batch_execute("ANALYZE")?)
    });
    filled.expect("a full shop");
    RECORDED.lock().expect("the record").clear();
}

/// A list's body for each filter alone, each sort in both directions, and a search.
fn lists(call: &'static str, filters: &[(&str, Value)], sorts: &[&str]) -> Vec<(&'static str, Value)> {
    let mut all = vec![(call, json!({"PageSize": 1})), (call, json!({"Search": "1", "Page": 2}))];
    all.extend(filters.iter().map(|(name, value)| (call, json!({"Filter": {(*name): value}}))));
    for field in sorts {
        for direction in ["asc", "desc"] {
            all.push((call, json!({"PageSize": 1, "Sort": [{"Field": field, "Direction": direction}]})));
        }
    }
    all.push((call, json!({"StartTime": "2026-01-01 00:00:00", "EndTime": "2027-01-01 00:00:00"})));
    all
}

/// Every call of a signed-in user, with bodies that cover all queries, in an order in which each succeeds.
fn calls(
    node_ids: &[i64],
    group_id: &Value,
    white_id: &Value,
    free: &Value,
    order_id: &Value,
) -> Vec<(&'static str, Value)> {
    let node = json!({"NodeIds": [node_ids[0]]});
    let with = |extra: Value| {
        let mut body = node.clone();
        body.as_object_mut().expect("an object").extend(extra.as_object().cloned().unwrap_or_default());
        body
    };
    let node_filters = [
        ("Country", json!("US")),
        ("Country", json!("US,DE")),
        ("Ips", json!(["198.18.0.1", "198.18.0.2"])),
        ("City", json!("new-york")),
        ("VerStr", json!(REGULAR)),
        ("State", json!("assigned")),
        ("GroupId", json!(0)),
        ("GroupId", group_id.clone()),
        ("AutoRenew", json!(true)),
        ("Target", json!("search")),
        ("EndsWithinDays", json!(3)),
        ("OrderNumber", json!("PO1")),
    ];
    let node_sorts = ["Ip", "Country", "City", "Isp", "VerStr", "State", "AssignedAt", "ExpiresAt"];
    let places = [
        ("Country", json!("US")),
        ("City", json!("city1")),
        ("VerStr", json!(REGULAR)),
        ("Isp", json!("isp1")),
        ("Target", json!("search")),
    ];
    let stock = [json!({}), json!({"VerStr": REGULAR}), json!({"Country": "US"}), json!({"Target": "search"})];
    let mut all = vec![
        ("Ips/GetServerVer", json!({})),
        ("Ips/GetUserPlanGroupList", json!({})),
        ("Ips/UserGetTargetList", json!({})),
        ("Ips/GetUserTargetList", json!({})),
        ("Ips/UserGetNodeTable", json!({})),
        ("Ips/userGetUserVerPlan", json!({})),
        ("Ips/GetUserVerPlan", json!({})),
        ("Ips/UserGetVerAuth", json!({"VerStr": REGULAR})),
        ("Ips/UpdateVerAuth", json!({"VerStr": REGULAR, "AccessMode": "both"})),
        ("Ips/UpdateVerUserPass", json!({"VerStr": REGULAR, "UserName": "ann_1", "Password": "secret99word"})),
        ("Ips/UserEditNodeAccount", with(json!({"UserName": "ann_2", "Password": "secret99word", "KeepOldHours": 1}))),
        ("Ips/AddWhiteList", json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": ""})),
        ("Ips/DelWhite", json!({"WhiteIds": [white_id]})),
        ("Ips/AddToGroup", with(json!({"GroupId": group_id}))),
        ("Ips/ClearUserPlanGroup", node.clone()),
        ("Ips/ClearUserPlanGroupAllNode", json!({"GroupId": group_id})),
        ("Ips/EditUserPlanGroup", json!({"GroupId": group_id, "Name": "Other", "Colour": "", "Note": ""})),
        ("Ips/EditNodeNote", with(json!({"Note": "n"}))),
        ("Ips/EditNodeNote", json!({"All": true, "Note": "n"})),
        ("Ips/SetAutoRenew", with(json!({"AutoRenew": true}))),
        ("Ips/SetAutoRenew", json!({"VerStr": REGULAR, "AutoRenew": true})),
        ("Ips/IpsNoneRenewByPrice", with(json!({"PeriodDays": 30}))),
        ("Ips/SwitchNode", with(json!({"DryRun": true}))),
        ("Ips/SwitchNode", with(json!({"Reason": "r"}))),
        ("Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node_ids[1]]})),
        ("Ips/MySpecifySwitchNode", json!({"NodeId": node_ids[2], "NewNodeId": free, "DryRun": true})),
        ("Ips/MySpecifySwitchNode", json!({"NodeId": node_ids[2], "NewNodeId": free})),
        ("Ips/TestNode", json!({"NodeId": node_ids[3], "Protocol": "http"})),
        ("Ips/GetUserNode", json!({"NodeId": node_ids[3]})),
        ("Ips/DeleteUserPlanGroup", json!({"GroupId": group_id})),
        ("Order/QuoteOrder", order_for(&[("US", "new-york", 1)], "5.00")),
        (
            "Order/QuoteOrder",
            json!({"VerStr": REGULAR, "PeriodDays": 30, "Coupon": "code1", "Lines": [{"Country": "US", "City": "x", "Quantity": 1}]}),
        ),
        ("Order/CheckCoupon", json!({"Coupon": "code1"})),
        ("Order/GetUnpaidOrderList", json!({})),
        ("Order/GetHoldLimit", json!({})),
        ("Order/GetOrder", json!({"OrderId": order_id})),
        ("Order/GetPaymentMethodList", json!({"Kind": "purchase"})),
        ("Order/CancelOrder", json!({"OrderId": order_id})),
        ("User/GetCenter", json!({})),
        ("User/GetAccountDetails", json!({})),
        ("User/UpdateAccountDetails", json!({"FirstName": "Ann"})),
        ("User/GetUserInfo", json!({})),
        ("User/GetWallet", json!({})),
        ("Wallet/SetLowBalanceAlert", json!({"Threshold": "10"})),
        ("Wallet/GetLowBalanceAlert", json!({})),
    ];
    all.extend(lists("Ips/GetUserNodeList", &node_filters, &node_sorts));
    // Substrings of notes, addresses and ISPs, and one or two Chinese characters.
    for search in ["198.18.", "word", "fiber", "酒店", "酒"] {
        all.push(("Ips/EditNodeNote", json!({"All": true, "Search": search, "Note": "a word, 酒店"})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "PageSize": 1})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "PageSize": 1, "Sort": [{"Field": "ExpiresAt"}]})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "Filter": {"Country": "US"}})));
    }
    all.extend(lists("Ips/GetMyPurchasableNodeList", &places, &["Country", "City", "Isp"]));
    all.push(("Ips/GetMyPurchasableNodeList", json!({"Search": "198.18.0"})));
    all.extend(lists("Ips/GetMyWhiteList", &[("VerStr", json!(REGULAR))], &["Address", "CreatedAt"]));
    let switches = [("VerStr", json!(REGULAR)), ("Mode", json!("quota"))];
    all.extend(lists("Ips/UserGetSwitchRecording", &switches, &["CreatedAt", "OldIp", "NewIp"]));
    let orders = [("State", json!("fulfilled")), ("Kind", json!("purchase"))];
    all.extend(lists("Order/GetOrderList", &orders, &["CreatedAt", "Total"]));
    all.extend(lists("Billing/GetInvoiceList", &[("Kind", json!("invoice"))], &["IssuedAt"]));
    all.extend(lists("Wallet/GetTransactionList", &[("Kind", json!("purchase"))], &["CreatedAt"]));
    for filter in stock {
        all.push(("Ips/GetCountryList", filter.clone()));
        all.push(("Ips/GetServerNodeInventory", filter));
    }
    all
}

/// Traffic: bought in all ways, reordered by a job, refunded and about to expire.
async fn traffic(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    owner: &Customer,
) {
    call(owner, "Traffic/GetTrafficCatalogue", json!({})).await;
    let one = json!({"Gigabytes": 1, "PeriodDays": 30, "ExpectedTotal": "4.00"});
    call(owner, "Traffic/QuoteTraffic", one.clone()).await;
    let order = call(owner, "Traffic/CreateTrafficOrder", one).await;
    call(owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    let ten = json!({"Gigabytes": 10, "PeriodDays": 30, "ExpectedTotal": "35.00", "PayFromWallet": true});
    let bought = call(owner, "Traffic/CreateTrafficOrder", ten).await;
    let reorder =
        json!({"IsOn": true, "ThresholdGigabytes": "20", "Gigabytes": 20, "PeriodDays": 30, "MonthlyLimit": "70"});
    call(owner, "Traffic/SetReorder", reorder).await;
    shop.run_jobs().await;
    call(owner, "Traffic/GetTraffic", json!({})).await;
    call(owner, "Welcome/GetOverview", json!({})).await;
    call(owner, "Traffic/SetReorder", json!({"IsOn": false})).await;
    refund(call, operator, owner, &bought["OrderNumber"]).await;
}

/// Shows an order to its owner and an operator, and refunds it in both ways; makes its owner a reseller temporarily.
async fn refund(
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    owner: &Customer,
    order_number: &Value,
) {
    let number = json!({"OrderNumber": order_number});
    let found = call(operator, "Operator/GetOrder", number.clone()).await;
    let invoice = json!({"InvoiceNumber": found["Order"]["Invoices"][0]["InvoiceNumber"]});
    call(owner, "Billing/GetInvoice", invoice).await;
    call(operator, "Operator/PreviewRefund", number).await;
    let some = json!({"OrderNumber": order_number, "Amount": "1.00", "Reason": "r"});
    call(operator, "Operator/RefundOrder", some).await;
    call(operator, "Operator/RefundOrder", json!({"OrderNumber": order_number, "Reason": "r"})).await;
    call(operator, "Operator/GetAlarmList", json!({})).await;
    let account = json!({"AccountId": owner.account_id, "Level": 1, "Discount": "15"});
    call(operator, "Operator/SetAccountTerms", account.clone()).await;
    let account = json!({"AccountId": owner.account_id, "Level": 0, "Discount": ""});
    call(operator, "Operator/SetAccountTerms", account.clone()).await;
    call(operator, "Operator/GetAccount", account).await;
}

async fn transfer(call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, operator: &Customer, owner: &Customer) {
    let top_up = json!({"Amount": "50", "PaymentMethod": "transfer"});
    let started = call(owner, "Wallet/CreateTopUp", top_up).await;
    let settle = json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "50.00"});
    call(operator, "Order/SettlePayment", settle).await;
    let by_order = json!({"PaymentId": started["Order"]["OrderNumber"], "Amount": "50.00"});
    call(operator, "Order/SettlePayment", by_order).await;
}

/// Proxy users and proxy servers, with all of their queries.
async fn residential(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    operator: &Customer,
) {
    let form = json!({"Name": "scraper_1", "Countries": ["US"], "LimitGigabytes": "1", "LimitCycle": "day"});
    let added = call(owner, "ProxyUsers/AddProxyUser", form.clone()).await;
    let (id, password) = (added["ProxyUser"]["ProxyUserId"].clone(), added["Password"].clone());
    let mut edit = form;
    edit["ProxyUserId"] = id.clone();
    call(owner, "ProxyUsers/EditProxyUser", edit).await;
    let ids = json!({ "ProxyUserIds": [id] });
    for name in ["Pause", "Resume", "Reset"] {
        call(owner, &format!("ProxyUsers/{name}ProxyUsers"), ids.clone()).await;
    }
    for (name, body) in
        lists("ProxyUsers/GetProxyUserList", &[("State", json!("active"))], &["Name", "UsedBytes", "CreatedAt"])
    {
        call(owner, name, body).await;
    }
    for is_dry in [true, false] {
        call(owner, "ProxyUsers/ImportProxyUsers", json!({"Csv": "name\nscraper_2\n", "DryRun": is_dry})).await;
    }
    let entry = json!({"ProxyUserId": id, "Address": "8.8.8.0/24", "Label": ""});
    let address = call(owner, "ProxyUsers/AddProxyUserAddress", entry).await;
    call(owner, "ProxyUsers/GetProxyUserAddressList", json!({})).await;
    for kind in ["residential", "static"] {
        let form = json!({"Name": kind, "Kind": kind, "Host": "gate.example", "HttpPort": "8000"});
        let server = call(operator, "Operator/AddProxyServer", form).await["Server"]["ServerId"].clone();
        let rotated = call(operator, "Operator/RotateProxyServer", json!({ "ServerId": server })).await;
        let secret = rotated["Secret"].as_str().unwrap_or_default().to_owned();
        let carrier = carriers::Carrier { url: shop.url.clone(), secret, client: reqwest::Client::new() };
        // Some nodes were generated without valid addresses.
        let nodes = shop.nodes_of(owner).await;
        let has_address = |node: &&Value| node["Ip"].as_str().is_some_and(|ip| ip.starts_with("198."));
        let node = nodes.iter().find(has_address).expect("a node").clone();
        let connection =
            json!({"UserName": "user-scraper_1", "Password": password, "ClientAddress": "8.8.8.8", "Ip": node["Ip"]});
        carrier.refuses(connection).await;
        carrier.refuses(json!({"ClientAddress": "8.8.8.8", "Ip": node["Ip"]})).await;
        let now = shop.app.clock.now();
        let mut record = carriers::record("1", "scraper_1", now, 1_000);
        record["Ip"] = node["Ip"].clone();
        let (_, taken) = carrier.post("usage", json!({ "Records": [record, 7] }).to_string()).await;
        assert_eq!(taken["Counted"], 1, "{record}: {taken}");
        shop.run_jobs().await;
        let rejected = [("ServerId", server.clone()), ("Reason", json!("malformed"))];
        for (name, body) in lists("Operator/GetRejectedUsageList", &rejected, &["ReceivedAt"]) {
            call(operator, name, body).await;
        }
        call(operator, "Operator/GetProxyServerList", json!({})).await;
        for dimension in ["all", "user", "node", "country", "target"] {
            for (step, days) in [("day", 1), ("day", 300), ("month", 360)] {
                let (start, end) = (to_wire(now - TimeDelta::days(days)), to_wire(now + TimeDelta::hours(2)));
                let mut range = json!({"Kind": kind, "Dimension": dimension, "Step": step, "StartTime": start, "EndTime": end, "TimeZone": "UTC"});
                call(owner, "Usage/GetUsage", range.clone()).await;
                if ["all", "user"].contains(&dimension) {
                    range["ProxyUserId"] = id.clone();
                    call(owner, "Usage/GetUsage", range).await;
                }
            }
        }
        if kind == "residential" {
            endpoint_lists(shop, call, owner, &server, &id).await;
        }
        call(operator, "Operator/RemoveProxyServer", json!({ "ServerId": server })).await;
    }
    let change = json!({"ProxyUserId": id, "OldValidMinutes": 10});
    call(owner, "ProxyUsers/ChangeProxyUserPassword", change).await;
    call(owner, "ProxyUsers/RevealProxyUserPassword", json!({ "ProxyUserId": id })).await;
    call(owner, "ProxyUsers/DelProxyUserAddress", json!({ "AddressId": address["AddressId"] })).await;
    call(owner, "ProxyUsers/DeleteProxyUsers", ids).await;
}

/// Presets, list URLs, and a list fetched by a script.
async fn endpoint_lists(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    server: &Value,
    proxy_user: &Value,
) {
    let settings = json!({"ServerId": server, "Scheme": "http", "Count": 1, "Format": "url"});
    call(owner, "Endpoints/GetServerList", json!({})).await;
    for _ in 0..2 {
        call(owner, "Endpoints/SavePreset", json!({"Name": "mine", "Settings": settings})).await;
    }
    let presets = call(owner, "Endpoints/GetPresetList", json!({})).await;
    call(owner, "Endpoints/DeletePreset", json!({ "PresetId": presets[0]["PresetId"] })).await;
    let url = json!({"Name": "mine", "ProxyUserId": proxy_user, "Settings": settings});
    let created = call(owner, "Endpoints/CreateUrl", url).await;
    let path = created["Url"].as_str().and_then(|url| url.split_once("/lists/")).expect("a URL").1.to_owned();
    for path in [path.as_str(), "unknown"] {
        shop.open_page(&format!("/lists/{path}")).await;
    }
    call(owner, "Endpoints/GetUrlList", json!({})).await;
    call(owner, "Endpoints/RevokeUrl", json!({ "UrlId": created["UrlId"] })).await;
}

/// Notifications: reading, settings and unsubscribing; the latest mail to the user is about an event.
async fn notifications(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    for (name, body) in lists("Notifications/GetNotificationList", &[], &["CreatedAt"]) {
        call(owner, name, body).await;
    }
    call(owner, "Notifications/GetUnread", json!({})).await;
    let latest = call(owner, "Notifications/GetNotificationList", json!({})).await["Rows"][0]["NotificationId"].clone();
    call(owner, "Notifications/MarkRead", json!({ "NotificationIds": [latest] })).await;
    call(owner, "Notifications/MarkRead", json!({ "UpTo": latest })).await;
    call(owner, "Notifications/GetSettings", json!({})).await;
    let choice = json!({"Settings": [{"Kind": "wallet.low", "OnScreen": false, "ByMail": true}]});
    call(owner, "Notifications/SetSettings", choice).await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&owner.email).unwrap_or_default();
    let token = mail.lines().find_map(|line| line.strip_prefix("http://shop.example/unsubscribe?token="));
    for is_dry in [true, false] {
        call(owner, "Notifications/Unsubscribe", json!({ "Token": token, "DryRun": is_dry })).await;
    }
}

/// An account that refers a friend and, apparently, itself. Returns the referrer and the friend's order.
async fn referrals(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
) -> (Customer, Value) {
    let referrer = shop.customer_invited_by("", "203.0.113.1", 0);
    let code = call(&referrer, "User/GetCenter", json!({})).await["InvitationCode"].clone();
    let code = code.as_str().unwrap_or_default().to_owned();
    let [friend, twin] = ["203.0.113.2", "203.0.113.1"].map(|address| shop.customer_invited_by(&code, address, 10_000));
    let order_id = shop.buys(&friend, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.buys(&twin, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order = call(&friend, "Order/GetOrder", json!({ "OrderId": order_id })).await;
    call(&referrer, "Referrals/GetReferrals", json!({})).await;
    for (name, body) in lists("Referrals/GetReferredList", &[], &["SignedUpAt"]).into_iter().chain(lists(
        "Referrals/GetCommissionList",
        &[("State", json!("pending"))],
        &["EarnedAt"],
    )) {
        call(&referrer, name, body).await;
    }
    for (name, body) in lists("Operator/GetReferralReviewList", &[], &["SignedUpAt"]) {
        call(operator, name, body).await;
    }
    let review = json!({"AccountId": twin.account_id, "Decision": "refuse", "Note": ""});
    call(operator, "Operator/ReviewReferral", review).await;
    call(operator, "Operator/AddReferralRule", json!({"RatePercent": "12"})).await;
    call(operator, "Operator/GetReferralRuleList", json!({})).await;
    (referrer, order["OrderNumber"].clone())
}

/// Moves available commissions, and refunds the order that earned them.
async fn moved(shop: &Shop, made: &mut BTreeSet<String>, referrer: &Customer, order_number: &Value) {
    made.insert("Referrals/MoveToWallet".to_owned());
    let moved = shop.call(&shop.signs_in(referrer), "Referrals/MoveToWallet", json!({})).await;
    assert_eq!(moved.code, 1000, "{moved:?}");
    let refund = json!({"OrderNumber": order_number, "Amount": "10.00", "Reason": "r"});
    assert_eq!(shop.call(&shop.operator(), "Operator/RefundOrder", refund).await.code, 1000);
}

/// Webhooks that succeed and fail, disabled and deleted.
async fn webhooks(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    for manner in [Manner::Answers(200), Manner::Answers(500), Manner::Answers(410)] {
        let receiver = Receiver::open(manner);
        let form = json!({"Url": receiver.url, "Description": "", "Events": ["order.paid"]});
        let id = call(owner, "Webhooks/AddWebhook", form).await["WebhookId"].clone();
        let this = json!({ "WebhookId": id });
        call(owner, "Webhooks/EditWebhook", json!({ "WebhookId": id, "Url": receiver.url })).await;
        call(owner, "Webhooks/RotateWebhookSecret", this.clone()).await;
        let delivery = call(owner, "Webhooks/SendTestEvent", this.clone()).await;
        shop.run_jobs().await;
        call(owner, "Webhooks/GetWebhookList", json!({})).await;
        call(owner, "Webhooks/GetDelivery", delivery.clone()).await;
        let filters = [("WebhookId", id.clone()), ("State", json!("delivered"))];
        for (name, body) in lists("Webhooks/GetDeliveryList", &filters, &["CreatedAt"]) {
            call(owner, name, body).await;
        }
        call(owner, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": true})).await;
        call(owner, "Webhooks/ResendDelivery", delivery).await;
        if manner == Manner::Answers(200) {
            continue;
        }
        call(owner, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": false})).await;
        shop.run_jobs().await;
        call(owner, "Webhooks/DeleteWebhook", this).await;
    }
}

/// A card that is saved, charged, declined, replaced and deleted.
async fn automatic(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    let settings = json!({"IsOn": true, "Threshold": "10", "Amount": "20", "MonthlyLimit": "40"});
    for card in ["action=good", "action=declining"] {
        let begun = call(owner, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await;
        let url = begun["CardUrl"].as_str().unwrap_or_default();
        assert_eq!(shop.post_form(url, card).await.status(), 303);
        call(owner, "Wallet/GetCardRequest", json!({"CardRequestId": begun["CardRequestId"]})).await;
        for _ in 0..6 {
            call(owner, "Wallet/SetAutoTopUp", settings.clone()).await;
            shop.run_jobs().await;
        }
    }
    call(owner, "Wallet/GetAutoTopUp", json!({})).await;
    call(owner, "Wallet/ForgetCard", json!({})).await;
    call(owner, "Wallet/SetAutoTopUp", json!({"IsOn": false})).await;
    shop.run_jobs().await;
}

/// Queries that may read everything: the nightly check of the books, the operator's search for a part of a number or address among orders and
/// accounts, and the operator's log of callbacks. Returns their texts.
async fn read_everything(shop: &Shop) -> BTreeSet<String> {
    RECORDED.lock().expect("the record").clear();
    shop.app.db.snapshot_blocking(verify).expect("a verification");
    let mut whole = std::mem::take(&mut *RECORDED.lock().expect("the record"));
    let operator = shop.operator();
    for (call, body) in lists(
        "Operator/GetOrderList",
        &[("State", json!("fulfilled")), ("Kind", json!("purchase"))],
        &["CreatedAt", "Total"],
    ) {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    let filters = [("Gateway", json!("sandbox")), ("Verdict", json!("settle")), ("IsRefused", json!(true))];
    for (call, body) in lists("Order/GetCallbackList", &filters, &["ReceivedAt"]) {
        if body["Search"].is_null() {
            assert_eq!(shop.call(&operator, call, body).await.code, 1000);
        }
    }
    for (call, body) in
        lists("Operator/GetAccountList", &[("Level", json!(1)), ("State", json!("active"))], &["CreatedAt"])
    {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    let filters = [("State", json!("open")), ("IsWaiting", json!(true)), ("IsWaiting", json!(false))];
    for (call, body) in lists("Operator/GetConversationList", &filters, &["LastMessageAt", "WaitingSince"]) {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    // The user, and data related to the rows found, is loaded as for anyone.
    let tables = ["orders", "gateway_callbacks", "accounts", "support_conversations"]
        .map(|table| ["`", "\""].map(|quote| format!("{quote}{table}{quote}")));
    let of_orders = |text: &String| {
        let from = text.split("FROM ").nth(1).unwrap_or_default().trim_start_matches('(');
        tables.iter().flatten().any(|table| from.starts_with(table.as_str()))
    };
    whole.extend(std::mem::take(&mut *RECORDED.lock().expect("the record")).into_iter().filter(of_orders));
    whole
}

/// Makes every documented call, and gives every job something to do.
async fn run_the_shop(shop: &Shop) {
    let mut made: BTreeSet<String> = BTreeSet::from(
        ["Operator/GetOrderList", "Operator/GetAccountList", "Operator/GetConversationList", "Order/GetCallbackList"]
            .map(str::to_owned),
    );
    let owner = shop.owner_of(8, 100_000).await;
    shop.stock("US", "new-york", 20);
    let node_ids: Vec<i64> = shop.nodes_of(&owner).await.iter().filter_map(|node| node["NodeId"].as_i64()).collect();
    let mut call = async |who: &Customer, call: &str, body: Value| {
        made.insert(call.to_owned());
        let answer = shop.call_once(who, &format!("key-{}", made.len()), call, body.clone()).await;
        let answer = if answer.code == 2009 { shop.call(who, call, body.clone()).await } else { answer };
        assert_eq!(answer.code, 1000, "{call} {body}: {answer:?}");
        answer.data
    };
    let group_id =
        call(&owner, "Ips/AddUserPlanGroup", json!({"Name": "Mine", "Colour": "", "Note": ""})).await["GroupId"]
            .clone();
    let entry = json!({"VerStr": REGULAR, "Address": "8.8.8.8", "Label": "home"});
    let white_id = call(&owner, "Ips/AddWhiteList", entry).await["WhiteId"].clone();
    let shelf = json!({"Filter": {"City": "new-york"}});
    let rows = call(&owner, "Ips/GetMyPurchasableNodeList", shelf).await["Rows"].clone();
    let free = rows.as_array().and_then(|rows| rows.last()).expect("a free node")["NodeId"].clone();
    let order_id =
        call(&owner, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await["OrderId"].clone();
    for (name, mut body) in calls(&node_ids, &group_id, &white_id, &free, &order_id) {
        let found = call(&owner, name, body.clone()).await;
        if found["Next"].is_string() {
            body["After"] = found["Next"].clone();
            call(&owner, name, body).await;
        }
    }
    // All kinds of orders: with a target, of picked nodes, a renewal, through a gateway, and an unpaid one.
    let mut targeted = order_for(&[("US", "city1", 2)], "10.00");
    targeted["Target"] = json!("search");
    let order = call(&owner, "Order/CreateOrder", targeted).await;
    call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    let shelf = json!({"Filter": {"City": "city2"}});
    let exact = call(&owner, "Ips/GetMyPurchasableNodeList", shelf).await["Rows"][0]["NodeId"].clone();
    let mut picked = order_for(&[], "5.00");
    picked["NodeIds"] = json!([exact]);
    let order = call(&owner, "Order/CreateOrder", picked).await;
    let started =
        call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"})).await;
    let payment = json!({"PaymentId": started["Payment"]["PaymentId"]});
    call(&owner, "Order/GetPayment", payment.clone()).await;
    let pay_url = started["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
    assert_eq!(shop.post_form(&pay_url, "action=twice").await.status(), 303);
    let renewal = json!({"NodeIds": [node_ids[4]], "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let order = call(&owner, "Ips/IpsNoneRenew", renewal).await;
    call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    refund(&mut call, &shop.operator(), &owner, &order["OrderNumber"]).await;
    transfer(&mut call, &shop.operator(), &owner).await;
    traffic(shop, &mut call, &shop.operator(), &owner).await;
    call(&owner, "Wallet/GetMonthlyExpenses", json!({})).await;
    automatic(shop, &mut call, &shop.customer(500)).await;
    residential(shop, &mut call, &owner, &shop.operator()).await;
    notifications(shop, &mut call, &owner).await;
    let (referrer, earning) = referrals(shop, &mut call, &shop.operator()).await;
    webhooks(shop, &mut call, &owner).await;
    support::support(shop, &mut call, &owner, &shop.operator()).await;
    api_keys(&mut call, &shop.customer(0), &shop.operator()).await;
    let picture = include_bytes!("../../docs/screenshot.png");
    assert_eq!(shop.upload(&owner, "User/UploadAvatar", "a.png", picture).await.code, 1000);
    assert!(shop.get(&owner, "User/GetAvatar").await.status().is_success());
    call(&owner, "User/DeleteAvatar", json!({})).await;
    call(&owner, "Order/CreateOrder", order_for(&[("US", "city3", 1)], "5.00")).await;
    call(&owner, "Wallet/CreateTopUp", json!({"Amount": "30", "PaymentMethod": "sandbox"})).await;
    let list = call(&owner, "Billing/GetInvoiceList", json!({})).await;
    let invoice = json!({"InvoiceNumber": list["Rows"][0]["InvoiceNumber"]});
    for (name, body) in [
        ("Ips/ExportNodes", json!({"All": true, "Format": "csv"})),
        ("Ips/ExportSwitchRecording", json!({"Format": "json"})),
        ("Wallet/ExportTransactions", json!({"Search": "INV-"})),
        ("ProxyUsers/ExportProxyUsers", json!({})),
        (
            "Usage/ExportUsage",
            json!({"Kind": "residential", "StartTime": "2026-01-01 00:00:00", "EndTime": "2026-03-01 00:00:00"}),
        ),
    ] {
        made.insert(name.to_owned());
        assert!(shop.download(&owner, name, body).await.len() > 100, "{name}");
    }
    made.insert("Billing/GetInvoicePdf".to_owned());
    let of_support = ["UploadAttachment", "GetAttachment", "WaitForMessages"].map(|name| format!("Support/{name}"));
    made.extend(of_support.into_iter().chain(["Operator/WaitForConversations".to_owned()]));
    assert!(shop.download_bytes(&owner, "Billing/GetInvoicePdf", invoice).await.starts_with(b"%PDF"));
    made.extend(["User/UploadAvatar", "User/GetAvatar"].map(str::to_owned));
    sign_up_and_out(shop, &mut made).await;
    let forged = shop.post_raw("/gateway/callback/sandbox", "{}".to_owned(), &[]).await;
    assert_eq!(forged.status(), 400);
    assert!(shop.open_page("/health/ready").await.status().is_success());
    // The jobs, on days when they have something to do; the money runs out before the nodes expire.
    for days in [1, 26, 2, 1, 1, 4, 2, 62] {
        shop.app.clock.advance(TimeDelta::days(days));
        shop.run_jobs().await;
    }
    moved(shop, &mut made, &referrer, &earning).await;
    let document = openapi::document();
    let described: BTreeSet<&str> =
        document["paths"].as_object().expect("paths").keys().filter_map(|path| path.strip_prefix("/api/")).collect();
    let missed: Vec<_> = described.iter().filter(|call| !made.contains(**call)).collect();
    assert!(missed.is_empty(), "calls whose queries nobody has looked at: {missed:?}");
}

/// API keys, the access token, and operators' changes to an account.
async fn api_keys(call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer, operator: &Customer) {
    let mut form = json!({"Name": "mine", "Scopes": ["account:read", "account:write"]});
    let added = call(owner, "ApiKeys/AddApiKey", form.clone()).await;
    let key = Customer { token: added["Secret"].as_str().expect("a secret").to_owned(), ..owner.clone() };
    call(&key, "ApiKeys/GetApiKeyList", json!({})).await;
    form["ApiKeyId"] = added["ApiKey"]["ApiKeyId"].clone();
    call(owner, "ApiKeys/EditApiKey", form.clone()).await;
    call(owner, "ApiKeys/RevokeApiKey", form).await;
    let flags = json!({"AccountId": owner.account_id, "ShowInvitationCode": false, "ShowAccessToken": true});
    call(operator, "Operator/SetAccountFlags", flags).await;
    call(owner, "User/RotateAccessToken", json!({})).await;
    call(owner, "User/GetCenter", json!({})).await;
    call(owner, "User/UpdatePreferences", json!({"Language": "zh", "TimeZone": "Asia/Shanghai"})).await;
    for state in ["suspended", "active"] {
        let state = json!({"AccountId": owner.account_id, "State": state, "Reason": "r"});
        call(operator, "Operator/SetAccountState", state).await;
    }
    call(operator, "Operator/GetAccount", json!({ "AccountId": owner.account_id })).await;
}

async fn sign_up_and_out(shop: &Shop, made: &mut BTreeSet<String>) {
    let email = "new@example.com";
    let mut call = async |call: &str, body: Value, token: &str| {
        made.insert(call.to_owned());
        let answer = shop.send(call, body, &[("Token", token)]).await;
        assert_eq!(answer.code, 1000, "{call}: {answer:?}");
        answer.data
    };
    call("User/SignUp", json!({"Email": email, "Password": PASSWORD, "InviteCode": "code7"}), "").await;
    shop.run_jobs().await;
    let token = shop.mailed_token(email, "verify");
    call("User/VerifyEmail", json!({"VerifyToken": token}), "").await;
    call("User/RequestPasswordReset", json!({"Email": email}), "").await;
    shop.run_jobs().await;
    let token = shop.mailed_token(email, "reset");
    call("User/ResetPassword", json!({"ResetToken": token, "Password": PASSWORD}), "").await;
    let new = "another fine password";
    let session = call("User/Login", json!({"Email": email, "Password": PASSWORD}), "").await;
    let token = session["Token"].as_str().unwrap_or_default();
    let change = json!({"CurrentPassword": PASSWORD, "NewPassword": new, "DeviceId": session["DeviceId"]});
    call("User/ChangePassword", change, token).await;
    let begun = call("User/BeginTwoFactor", json!({"Password": new}), token).await;
    let secret = begun["Secret"].as_str().expect("a secret");
    let codes =
        call("User/TurnOnTwoFactor", json!({"Code": shop.code_of(secret, 0)}), token).await["RecoveryCodes"].clone();
    shop.app.clock.advance(TimeDelta::seconds(90));
    call("User/ConfirmTwoFactor", json!({"Code": codes[0]}), token).await;
    call("User/GetTwoFactor", json!({}), token).await;
    let replaced = call("User/ReplaceRecoveryCodes", json!({"Code": codes[1]}), token).await["RecoveryCodes"].clone();
    for code in [json!(shop.code_of(secret, 0)), replaced[0].clone()] {
        call("User/Login", json!({"Email": email, "Password": new, "Code": code, "DeviceId": "x".repeat(43)}), "")
            .await;
    }
    let found = shop.send("User/Login", json!({"Email": email, "Password": "not the password"}), &[]).await;
    assert_eq!(found.code, 3333);
    shop.run_jobs().await;
    let sessions = call("User/GetSessionList", json!({}), token).await["Sessions"].clone();
    call("User/RevokeSession", json!({"SessionId": sessions[1]["SessionId"]}), token).await;
    call("User/RevokeOtherSessions", json!({}), token).await;
    for (name, body) in lists("User/GetSecurityLog", &[("Kind", json!("signed_in"))], &["At"]) {
        call(name, body, token).await;
    }
    call("User/TurnOffTwoFactor", json!({"Password": new, "Code": replaced[1]}), token).await;
    let (other, request) = ("other@example.com", "User/RequestEmailChange");
    call(request, json!({"Email": "nobody@example.com", "Password": new}), token).await;
    call(request, json!({"Email": other, "Password": new}), token).await;
    shop.run_jobs().await;
    let (confirm, stop) = (shop.mailed_token(other, "confirm"), shop.mailed_token(email, "stop"));
    call("User/ConfirmEmailChange", json!({"Token": confirm}), "").await;
    call("User/StopEmailChange", json!({"Token": stop}), "").await;
    shop.run_jobs().await;
    let reset = json!({"ResetToken": shop.mailed_token(email, "reset"), "Password": PASSWORD});
    let session = call("User/ResetPassword", reset, "").await;
    let token = session["Token"].as_str().unwrap_or_default();
    let owner = Customer { email: email.to_owned(), account_id: 0, token: token.to_owned() };
    made.insert("User/ExportData".to_owned());
    assert!(shop.download(&owner, "User/ExportData", json!({})).await.contains(email));
    let mut call = async |call: &str, body: Value, token: &str| {
        made.insert(call.to_owned());
        shop.send(call, body, &[("Token", token)]).await.data
    };
    call("User/Logout", json!({}), token).await;
    let session = call("User/Login", json!({"Email": email, "Password": PASSWORD}), "").await;
    let closing = json!({"Password": PASSWORD, "GiveUpBalance": true});
    let closed = call("User/CloseAccount", closing, session["Token"].as_str().unwrap_or_default()).await;
    assert_eq!(closed, json!({"Closed": true}));
    for read in ["SystemSettings/GetClientIp", "SystemSettings/GetPublicConfig"] {
        made.insert(read.to_owned());
        assert!(reqwest::get(format!("{}/api/{read}", shop.url)).await.expect("an answer").status().is_success());
    }
}

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
fn whole_reads(conn: &mut Conn, query: &str) -> QueryResult<Vec<String>> {
    match conn {
        Conn::Sqlite(conn) => {
            let steps: Vec<SqliteStep> = sql_query(format!("EXPLAIN QUERY PLAN {query}")).load(conn)?;
            let is_whole = |detail: &String| {
                let words: Vec<&str> = detail.split(' ').collect();
                let is_waiting = words.last().is_some_and(|index| WAITING.contains(index));
                // A full-text index is either searched or read as a whole.
                let is_asked = detail.contains(" VIRTUAL TABLE INDEX ") && !detail.ends_with("INDEX 0:");
                // Rows of a subquery are found by its own steps.
                let is_of_a_query = words[1].starts_with('(') || words[1] == "counted";
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

#[actix_web::test]
async fn no_query_scans_a_whole_growing_table() {
    set_default_instrumentation(|| Some(Box::new(record))).expect("an instrumentation");
    let settings = [("POSTERN_TRANSFER_DETAILS", "Example Bank"), ("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")];
    let shop = Shop::open_with(&settings);
    fill(&shop);
    let whole = read_everything(&shop).await;
    run_the_shop(&shop).await;
    let queries: Vec<String> = RECORDED.lock().expect("the record").difference(&whole).cloned().collect();
    assert!(queries.len() > 150, "only {} queries were recorded", queries.len());
    let mut found = String::new();
    for query in &queries {
        let steps = shop.app.db.read_blocking(|conn| Ok(whole_reads(conn, query)?));
        for step in steps.unwrap_or_else(|error| panic!("{query}: {error}")) {
            found.push_str(&format!("{step}\n    {query}\n"));
        }
    }
    assert!(found.is_empty(), "these queries read whole tables:\n{found}");
}

#[actix_web::test]
async fn a_full_table_scan_is_detected() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    for (query, is_whole) in [
        ("SELECT id FROM nodes WHERE note = 'x'", true),
        ("SELECT id FROM nodes ORDER BY id", true),
        ("UPDATE orders SET state = 'paid' WHERE kind = 'purchase'", true),
        ("SELECT id FROM nodes WHERE ip = 'x'", false),
        ("SELECT ver_str FROM tiers", false),
        ("SELECT id FROM nodes WHERE account_id = 1 ORDER BY id DESC LIMIT 10", false),
        ("SELECT id FROM nodes WHERE account_id = 1 AND ip > '1' ORDER BY ip, id LIMIT 10", false),
        ("SELECT id FROM nodes WHERE next_renewal_at IS NOT NULL ORDER BY next_renewal_at", false),
    ] {
        let steps = shop.app.db.read_blocking(|conn| Ok(whole_reads(conn, query)?)).expect("a plan");
        assert_eq!(!steps.is_empty(), is_whole, "{query}: {steps:?}");
    }
}
