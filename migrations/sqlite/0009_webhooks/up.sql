-- Endpoints of customers that receive events. Secrets are encrypted.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The chosen kinds as a JSON list; NULL for all.
  events TEXT,
  state TEXT NOT NULL CHECK (state IN ('enabled', 'paused', 'failed', 'deleted')),
  secret_sealed TEXT NOT NULL,
  -- The previous secret, with which requests are also signed until then.
  old_secret_sealed TEXT,
  old_secret_until TIMESTAMP,
  -- When the first attempt since the last success failed.
  failing_since TIMESTAMP,
  failures_in_row INTEGER NOT NULL DEFAULT 0,
  -- When the sender next processes its pending deliveries; NULL if there are none.
  next_look_at TIMESTAMP,
  -- The lease of the process that delivers to it.
  held_until TIMESTAMP,
  -- The end of its pause after failures.
  rests_until TIMESTAMP,
  created_at TIMESTAMP NOT NULL,
  -- When set, a job deletes it with its deliveries.
  deleted_at TIMESTAMP
);
CREATE INDEX webhooks_by_account ON webhooks (account_id, id);
CREATE INDEX webhooks_to_look_at ON webhooks (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;

-- A delivery of an event to a webhook.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  webhook_id BIGINT NOT NULL REFERENCES webhooks (id),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  event_id BIGINT NOT NULL,
  -- The receiver's `webhook-id`: the same in every attempt.
  message_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN (
    'order.paid', 'order.refunded', 'order.expired', 'payment.late', 'proxies.ending', 'proxies.ended',
    'proxies.renewed', 'proxies.renewal_failed', 'proxies.switched', 'traffic.ending', 'traffic.reorder_failed',
    'traffic.reorder_limit', 'proxy_user.limit_reached', 'wallet.low', 'wallet.topped_up', 'wallet.auto_top_up_done',
    'wallet.auto_top_up_failed', 'wallet.auto_top_up_limit', 'referral.commission_earned', 'support.answered',
    'webhook.disabled', 'webhook.test', 'security.new_device', 'security.changed'
  )),
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Attempts since it was created or resent, for the pauses between them.
  attempts_in_series INTEGER NOT NULL DEFAULT 0,
  -- NULL unless it is pending.
  next_attempt_at TIMESTAMP,
  last_attempt_at TIMESTAMP,
  last_status INTEGER,
  last_problem TEXT CHECK (last_problem IN (
    'not_found', 'private_address', 'no_connection', 'certificate', 'timeout', 'broken_answer', 'redirected', 'bad_status'
  )),
  last_duration_ms INTEGER,
  created_at TIMESTAMP NOT NULL,
  UNIQUE (event_id, webhook_id)
);
CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, id);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);

-- The attempts of a delivery: request headers and the truncated response.
CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  delivery_id BIGINT NOT NULL REFERENCES webhook_deliveries (id),
  webhook_id BIGINT NOT NULL,
  attempted_at TIMESTAMP NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  -- NULL for success.
  problem TEXT CHECK (problem IN (
    'not_found', 'private_address', 'no_connection', 'certificate', 'timeout', 'broken_answer', 'redirected', 'bad_status'
  )),
  -- JSON lists of names and values.
  request_headers TEXT NOT NULL,
  answer_headers TEXT NOT NULL,
  answer TEXT NOT NULL
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id, id);
CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook_id, id);
