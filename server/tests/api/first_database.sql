-- What a shop had in its database when the first migration was all there was. The test fills in the hashes.
INSERT INTO accounts (invite_code, created_at) VALUES ('AAAA1111', '2026-01-01 00:00:00'), ('BBBB2222', '2026-01-02 00:00:00');
INSERT INTO users (account_id, email, password_hash, language, time_zone, created_at) VALUES
  (1, 'old@example.com', '{password_hash}', 'en', 'UTC', '2026-01-01 00:00:00'),
  (2, 'other@example.com', '{password_hash}', 'zh', 'Asia/Shanghai', '2026-01-02 00:00:00');
INSERT INTO sessions (user_id, token_sha256, address, user_agent, created_at, expires_at) VALUES
  (1, '{token_sha256}', '127.0.0.1', 'test', '2026-01-01 00:00:00', '2999-01-01 00:00:00');
INSERT INTO wallets (account_id, currency, balance_minor, total_expenses_minor) VALUES (1, 'USD', 9000, 1000), (2, 'USD', 0, 0);
INSERT INTO tiers (ver_str, node_type, label_en, label_zh, desc_en, desc_zh, price_minor, position) VALUES
  ('shared ISP proxies plan', 2, 'Regular', '普通', 'Regular', '普通', 500, 1);
INSERT INTO periods (period_days, discount_basis_points) VALUES (30, 0), (90, 500);
INSERT INTO quantity_steps (min_quantity, discount_basis_points) VALUES (1, 0), (10, 200);
INSERT INTO plans (account_id, ver_str, created_at) VALUES (1, 'shared ISP proxies plan', '2026-01-01 00:00:00');
INSERT INTO plan_groups (account_id, name, colour, note, created_at) VALUES (1, 'Shops', '', 'an old note', '2026-01-01 00:00:00');
INSERT INTO orders (order_number, account_id, kind, state, currency, ver_str, period_days, subtotal_minor, discount_minor, total_minor,
  created_at, expires_at, paid_at) VALUES
  ('P-OLD-1', 1, 'top_up', 'fulfilled', 'USD', NULL, NULL, 10000, 0, 10000, '2026-01-01 00:00:00', '2026-01-02 00:00:00', '2026-01-01 00:01:00'),
  ('P-OLD-2', 1, 'purchase', 'fulfilled', 'USD', 'shared ISP proxies plan', 30, 1000, 0, 1000, '2026-01-01 00:02:00', '2026-01-01 00:17:00',
   '2026-01-01 00:03:00');
INSERT INTO order_lines (order_id, ver_str, country, city, quantity, unit_price_minor, amount_minor, net_minor) VALUES
  (2, 'shared ISP proxies plan', 'US', 'new-york', 2, 500, 1000, 1000);
INSERT INTO nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, state, order_id, account_id, plan_id, group_id,
  note, assigned_at, expires_at) VALUES
  ('8.8.1.1', 8000, 1080, 'US', 'new-york', 'Northlight Fiber', 64500, 'shared ISP proxies plan', 2, 'assigned', NULL, 1, 1, 1, 'first',
   '2026-01-01 00:03:00', '2999-01-01 00:00:00'),
  ('8.8.1.2', 8000, 1080, 'US', 'new-york', 'Northlight Fiber', 64500, 'shared ISP proxies plan', 2, 'assigned', NULL, 1, 1, NULL, '',
   '2026-01-01 00:03:00', '2999-01-01 00:00:00'),
  ('8.8.1.3', 8000, 1080, 'US', 'new-york', 'Northlight Fiber', 64500, 'shared ISP proxies plan', 2, 'available', NULL, NULL, NULL, NULL, '',
   NULL, NULL),
  ('8.8.1.4', 8000, 1080, 'DE', 'frankfurt', 'Northlight Fiber', 64500, 'shared ISP proxies plan', 2, 'retired', NULL, NULL, NULL, NULL, '',
   NULL, NULL);
INSERT INTO order_nodes (order_id, node_id, net_minor, starts_at, ends_at) VALUES
  (2, 1, 500, '2026-01-01 00:03:00', '2999-01-01 00:00:00'), (2, 2, 500, '2026-01-01 00:03:00', '2999-01-01 00:00:00');
INSERT INTO payments (public_id, account_id, order_id, payment_method, state, amount_minor, currency, language, created_at, settled_at) VALUES
  ('old-payment', 1, 1, 'sandbox', 'succeeded', 10000, 'USD', 'en', '2026-01-01 00:00:00', '2026-01-01 00:01:00');
INSERT INTO gateway_callbacks (gateway, body, signature, payment_id, verdict, received_at, judged_at) VALUES
  ('sandbox', '{"PaymentId": "old-payment"}', 'abc', 1, 'settle', '2026-01-01 00:01:00', '2026-01-01 00:01:00'),
  ('sandbox', 'not from the gateway', 'xyz', NULL, 'bad_signature', '2026-01-01 00:02:00', '2026-01-01 00:02:00');
INSERT INTO ledger_transactions (account_id, kind, reference, order_id, wallet_change_minor, balance_after_minor, currency, created_at) VALUES
  (1, 'top_up', 'payment old-payment', 1, 10000, 10000, 'USD', '2026-01-01 00:01:00'),
  (1, 'purchase', 'order 2', 2, -1000, 9000, 'USD', '2026-01-01 00:03:00');
INSERT INTO ledger_entries (transaction_id, book, account_id, amount_minor) VALUES
  (1, 'wallet', 1, 10000), (1, 'gateway', NULL, -10000), (2, 'wallet', 1, -1000), (2, 'revenue', NULL, 1000);
INSERT INTO mails (recipient, language, template, parameters, next_attempt_at, created_at) VALUES
  ('old@example.com', 'en', 'reset_password', '{"Link": "http://shop.example/password-reset?reset=an-old-token"}', '2026-01-01 00:00:00',
   '2026-01-01 00:00:00');
INSERT INTO throttles (bucket, hits, window_ends_at) VALUES ('sign-in address 127.0.0.1', 3, '2026-01-01 00:15:00');
INSERT INTO idempotency_keys (account_id, idempotency_key, body_sha256, answer, created_at) VALUES
  (1, 'old-key', 'abc', '{}', '2026-01-01 00:00:00');
INSERT INTO sellers (id, name, address, tax_number, email) VALUES (1, 'Old Seller Ltd', '["1 Old Road","Cork"]', 'IE 1', 'old@example.com');
