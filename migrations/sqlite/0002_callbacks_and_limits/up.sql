-- Signed callbacks are stored byte for byte; of unsigned ones there is no body, only a short form that identifies it.
ALTER TABLE gateway_callbacks ADD COLUMN bytes BLOB;
ALTER TABLE gateway_callbacks ADD COLUMN size_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE gateway_callbacks ADD COLUMN body_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE gateway_callbacks ADD COLUMN beginning TEXT NOT NULL DEFAULT '';
ALTER TABLE gateway_callbacks ADD COLUMN sender TEXT NOT NULL DEFAULT '';
UPDATE gateway_callbacks SET
  size_bytes = length(CAST(body AS BLOB)),
  beginning = substr(body, 1, 200),
  bytes = CASE WHEN verdict = 'bad_signature' THEN NULL ELSE CAST(body AS BLOB) END,
  signature = CASE WHEN verdict = 'bad_signature' THEN '' ELSE signature END;
ALTER TABLE gateway_callbacks DROP COLUMN body;
ALTER TABLE gateway_callbacks RENAME COLUMN bytes TO body;
CREATE INDEX gateway_callbacks_without_body ON gateway_callbacks (received_at) WHERE body IS NULL;

-- The number of unsigned callbacks, stored or not.
CREATE TABLE forged_callbacks (
  day DATE NOT NULL,
  gateway TEXT NOT NULL,
  arrived BIGINT NOT NULL,
  PRIMARY KEY (day, gateway)
);

-- One row, written to probe whether the database accepts writes.
CREATE TABLE write_probes (
  id SMALLINT PRIMARY KEY NOT NULL,
  written_at TIMESTAMP NOT NULL
);

-- Limits on what an account may have open without having paid for it.
CREATE TABLE limits (
  limit_name TEXT PRIMARY KEY NOT NULL,
  most INTEGER NOT NULL CHECK (most > 0)
);
INSERT INTO limits (limit_name, most) VALUES ('unpaid_orders', 3), ('open_top_ups', 20), ('open_card_requests', 10);

-- With at least this much in the wallet and in paid orders, an account's unpaid orders may hold this many IPs.
CREATE TABLE hold_steps (
  min_standing_minor BIGINT PRIMARY KEY NOT NULL CHECK (min_standing_minor >= 0),
  max_ips INTEGER NOT NULL CHECK (max_ips > 0)
);
INSERT INTO hold_steps (min_standing_minor, max_ips) VALUES (0, 20), (5000, 100), (50000, 1000), (200000, 5000);

CREATE INDEX orders_open ON orders (account_id) WHERE paid_at IS NULL AND ended_at IS NULL;
CREATE INDEX card_requests_by_account ON card_requests (account_id, state);
