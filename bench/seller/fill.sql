-- Fills a shop on PostgreSQL, beside its demo data, with accounts who buy for three years. Parameters: accounts, orders, transactions.
-- Triggers and foreign keys rest meanwhile; what they keep is written here as well, as far as operators' screens read it.
\set ON_ERROR_STOP on
SET session_replication_role = replica;
SET synchronous_commit = off;

-- Large tables get their indexes once they are full, which takes a fraction of the time.
CREATE TEMPORARY TABLE dropped_indexes AS
SELECT indexname, indexdef FROM pg_indexes
WHERE tablename IN ('orders', 'order_lines', 'payments', 'invoices', 'ledger_transactions', 'ledger_entries')
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexname::regclass);
SELECT format('DROP INDEX %I', indexname) FROM dropped_indexes \gexec

INSERT INTO accounts (id, level, state, invite_code, created_at)
SELECT 1000000 + n, 0, 'active', 'B' || lpad(n::text, 11, '0'), now() AT TIME ZONE 'UTC' - (n % 1095) * interval '1 day'
FROM generate_series(1, :accounts) AS n;

INSERT INTO users (id, account_id, email, password_hash, language, time_zone, created_at, inbox)
SELECT id, id, 'customer' || id || '@bench.example', '', 'en', 'UTC', created_at, 'customer' || id || '@bench.example'
FROM accounts WHERE id > 1000000;

INSERT INTO wallets (account_id, currency, balance_minor) SELECT id, 'USD', 0 FROM accounts WHERE id > 1000000;

INSERT INTO orders (id, order_number, account_id, kind, state, currency, ver_str, period_days, subtotal_minor, discount_minor,
  total_minor, refunded_minor, discounts, created_at, expires_at, paid_at)
SELECT 1000000 + n, 'PO' || translate(lpad(to_hex(n), 10, '0'), '0123456789abcdef', 'ABCDEFGHJKLMNPQR'), 1000001 + n % :accounts,
  CASE WHEN n % 10 < 4 THEN 'top_up' WHEN n % 10 < 7 THEN 'renewal' ELSE 'purchase' END, 'fulfilled', 'USD',
  CASE WHEN n % 10 < 4 THEN NULL WHEN n % 3 = 0 THEN 'rotating residential proxies plan' ELSE 'shared ISP proxies plan' END,
  30, 500, 0, 500, 0, '[]', at, at + interval '15 minutes', at
FROM (SELECT n, now() AT TIME ZONE 'UTC' - (:orders - n)::float8 / :orders * interval '1095 days' AS at FROM generate_series(1, :orders) AS n) AS paid;

INSERT INTO order_lines (order_id, ver_str, country, city, quantity, unit_price_minor, amount_minor, net_minor)
SELECT id, ver_str, 'US', 'new-york', 1, 500, 500, 500 FROM orders WHERE id > 1000000 AND kind <> 'top_up';

INSERT INTO payments (public_id, account_id, order_id, payment_method, state, amount_minor, currency, language, created_at, settled_at)
SELECT 'pay-' || id, account_id, id, CASE WHEN kind = 'top_up' THEN 'stripe' ELSE 'wallet' END, 'succeeded', 500, 'USD', 'en', paid_at, paid_at
FROM orders WHERE id > 1000000;

INSERT INTO invoices (kind, invoice_number, series, number_in_series, account_id, order_id, currency, total_minor, snapshot, issued_at)
SELECT 'invoice', 'INV-2020-' || id, 'INV-2020', id, account_id, id, 'USD', 500, '{}', paid_at FROM orders WHERE id > 1000000 AND kind <> 'top_up';

INSERT INTO ledger_transactions (id, account_id, kind, reference, order_id, wallet_change_minor, balance_after_minor, currency, created_at)
SELECT 1000000 + n, 1000001 + n % :accounts, CASE WHEN n % 2 = 0 THEN 'top_up' ELSE 'purchase' END, 'bench ' || n, NULL,
  CASE WHEN n % 2 = 0 THEN 500 ELSE -500 END, 0, 'USD', now() AT TIME ZONE 'UTC' - (:transactions - n)::float8 / :transactions * interval '1095 days'
FROM generate_series(1, :transactions) AS n;

INSERT INTO ledger_entries (transaction_id, book, account_id, amount_minor)
SELECT id, 'wallet', account_id, wallet_change_minor FROM ledger_transactions WHERE id > 1000000
UNION ALL
SELECT id, 'revenue', NULL, -wallet_change_minor FROM ledger_transactions WHERE id > 1000000;

INSERT INTO nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, supplier)
SELECT host('100.64.0.0'::inet + n), 8000, 1080, 'US', 'new-york', 'Northlight', 64500, 'shared ISP proxies plan', 2, 'supplier ' || n % 9
FROM generate_series(1, :accounts / 2) AS n;

INSERT INTO usage_days (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests)
SELECT 1000000 + n, 'residential', 'all', date_trunc('day', now() AT TIME ZONE 'UTC') - day * interval '1 day', '', 1000, 9000, 1
FROM generate_series(1, :accounts / 10) AS n, generate_series(0, 30) AS day;

INSERT INTO mails (recipient, language, template, parameters, state, attempts, next_attempt_at, created_at, sent_at)
SELECT 'customer' || 1000000 + n || '@bench.example', 'en', 'purchased', '{}', CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'sent' END, 1, at, at, at
FROM (SELECT n, now() AT TIME ZONE 'UTC' - n::float8 / :accounts * interval '30 days' AS at FROM generate_series(1, :accounts) AS n) AS sent;

INSERT INTO audit_entries (at, action, channel, user_id, actor, address, account_id, subject, reason, changes)
SELECT now() AT TIME ZONE 'UTC' - n * interval '1 minute', 'account_note', 'screen', NULL, 'bench', '', 1000000 + n, '', '', '[]'
FROM generate_series(1, :accounts / 10) AS n;

SET session_replication_role = DEFAULT;
SELECT indexdef FROM dropped_indexes \gexec
ANALYZE;
