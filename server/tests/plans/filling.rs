//! Fills all tables that grow.
use crate::recording::RECORDED;
use crate::shop::{REGULAR, Shop};
use crate::support;
use diesel::connection::SimpleConnection;
use postern_server::db::Conn;

/// Disables autovacuum's statistics during the calls: the plans would depend on its timing.
const COUNT_ONCE: &str = "DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', one);
    END LOOP;
END $$";

/// Thousands of rows in every table that grows, so that PostgreSQL plans as for a real shop.
pub fn fill(shop: &Shop) {
    let many = |count: u32, insert: &str| {
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <";
        format!("{numbers} {count}) INSERT INTO {insert} FROM n;")
    };
    let then = "'2026-01-01 00:00:00'";
    let texts = [
        many(2_000, &format!("accounts (invite_code, created_at) SELECT 'code' || i, {then}")),
        many(2_000, &format!("users (account_id, email, inbox, password_hash, language, time_zone, created_at) SELECT i, 'u' || i, 'u' || i, '', 'en', 'UTC', {then}")),
        many(2_000, "wallets (account_id, currency) SELECT i, 'USD'"),
        many(5_000, &format!("audit_entries (at, action, channel, user_id, actor, address, account_id, subject, reason, changes) SELECT {then}, CASE i % 9 WHEN 0 THEN 'account_resumed' WHEN 1 THEN 'price_changed' ELSE 'reply_sent' END, 'screen', 1 + i % 50, '', '', 1 + i % 2000, 's' || i, '', '[]'")),
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
        many(5_000, &format!("mails (recipient, language, template, parameters, state, next_attempt_at, created_at) SELECT 'u' || i, 'en', 'purchased', '', 'sent', {then}, {then}")),
        many(200, &format!("announcements (tone, text_en, text_zh, link, valid_from, user_id, changed_at) SELECT 'info', 'a' || i, '', '', {then}, 1, {then}")),
        format!("INSERT INTO legal_texts (kind, version, body_en, body_zh, user_id, published_at) VALUES ('terms', 1, 't', '', 1, {then}), ('privacy', 1, 'p', '', 1, {then});"),
        many(2_000, &format!("legal_acceptances (legal_text_id, user_id, accepted_at, address) SELECT 1 + i % 2, i, {then}, ''")),
        many(2_000, "shop_customers (account_id) SELECT i"),
        many(5_000, &format!("idempotency_keys (account_id, idempotency_key, body_sha256, answer, created_at) SELECT 1 + i % 2000, 'k' || i, '', '', {then}")),
        many(2_000, &format!("plans (account_id, ver_str, created_at) SELECT i, '{REGULAR}', {then}")),
        many(4_000, &format!("plan_groups (account_id, name, colour, created_at) SELECT 1 + i % 2000, 'g' || i, '', {then}")),
        many(2_000, &format!("coupons (code, basis_points, minimum_minor, created_at) SELECT 'CODE' || i, 100, 0, {then}")),
        many(10_000, &format!("orders (coupon, order_number, account_id, kind, state, currency, subtotal_minor, discount_minor, total_minor, created_at, expires_at, paid_at) SELECT CASE i % 9 WHEN 0 THEN 'CODE' || (1 + i % 2000) END, 'o' || i, 1 + i % 2000, 'purchase', 'fulfilled', 'USD', 500, 0, 500, {then}, {then}, CAST({then} AS TIMESTAMP)")),
        many(10_000, &format!("order_lines (order_id, ver_str, quantity, unit_price_minor, amount_minor, net_minor) SELECT i, '{REGULAR}', 1, 500, 500, 500")),
        many(30_000, &format!("nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, state, account_id, group_id, expires_at) SELECT '198.' || (20 + i / 65536) || '.' || (i / 256 % 256) || '.' || (i % 256), 80, 81, 'US', CASE i % 50 WHEN 1 THEN 'new-york' WHEN 2 THEN 'chicago' WHEN 3 THEN 'los-angeles' ELSE 'city' || (i % 50) END, 'isp' || (i % 5), 1, '{REGULAR}', 2, CASE i % 3 WHEN 0 THEN 'assigned' ELSE 'available' END, CASE i % 3 WHEN 0 THEN 1 + i % 2000 END, CASE i % 6 WHEN 0 THEN 1 + i % 4000 END, CASE i % 3 WHEN 0 THEN '2028-01-01 00:00:00' END")).replace("'2028-01-01 00:00:00' END", "CAST('2028-01-01 00:00:00' AS TIMESTAMP) END"),
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
        many(1_900, &format!("referrals (account_id, referrer_id, rule_id, created_at) SELECT 1 + i, 1 + i / 2, (SELECT min(id) FROM referral_rules), {then}")),
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
