-- Events of accounts, written in the transaction that caused them: the source of notifications and webhooks.
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN (
    'order.paid', 'order.refunded', 'order.expired', 'payment.late', 'proxies.ending', 'proxies.ended',
    'proxies.renewed', 'proxies.renewal_failed', 'proxies.switched', 'traffic.ending', 'traffic.reorder_failed',
    'traffic.reorder_limit', 'proxy_user.limit_reached', 'wallet.low', 'wallet.topped_up', 'wallet.auto_top_up_done',
    'wallet.auto_top_up_failed', 'wallet.auto_top_up_limit', 'referral.commission_earned', 'support.answered',
    'webhook.disabled', 'webhook.test', 'security.new_device', 'security.changed'
  )),
  data TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  -- Whether its deliveries to the account's webhooks have been created.
  is_dispatched BOOLEAN NOT NULL DEFAULT 0
);
CREATE INDEX events_by_account ON events (account_id, id);
CREATE INDEX events_to_dispatch ON events (id) WHERE NOT is_dispatched;
CREATE INDEX events_by_age ON events (created_at);
