-- Payments through BTCPay Server and EPay, in the currency of the gateway at a rate that is fixed when the payment begins.
-- Only the condition changes, no stored row does: the way that SQLite's documentation gives for it.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'payment_method IN (''wallet'', ''sandbox'', ''stripe'', ''transfer'')', 'payment_method IN (''wallet'', ''sandbox'', ''stripe'', ''transfer'', ''btcpay'', ''epay'')')
  WHERE type = 'table' AND name = 'payments';
PRAGMA writable_schema = RESET;
-- What is charged at the gateway, if that is another currency than the order's; NULL for the payment's own amount.
ALTER TABLE payments ADD COLUMN charged_minor BIGINT;
ALTER TABLE payments ADD COLUMN charged_currency TEXT;
ALTER TABLE payments ADD COLUMN rate_micro BIGINT;

-- What arrived for a payment: a row for each posting. Payments that an earlier version settled have none; all of theirs arrived.
CREATE TABLE payment_arrivals (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  payment_id BIGINT NOT NULL REFERENCES payments (id),
  -- Which charge of the payment, at gateways where it can have several.
  charge TEXT NOT NULL,
  -- In the currency of the charge, and what was credited for it.
  arrived_minor BIGINT NOT NULL CHECK (arrived_minor > 0),
  credited_minor BIGINT NOT NULL CHECK (credited_minor >= 0),
  -- The ledger's reference.
  reference TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX payment_arrivals_by_payment ON payment_arrivals (payment_id);

-- What an operator has to look at, because gateway and books would otherwise disagree.
CREATE TABLE payment_cases (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  gateway TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The payment's id, or the gateway's for one that the shop does not know.
  subject TEXT NOT NULL,
  payment_id BIGINT REFERENCES payments (id),
  due_minor BIGINT,
  credited_minor BIGINT,
  currency TEXT NOT NULL,
  -- What the gateway says, in its currency.
  reported_minor BIGINT,
  reported_currency TEXT,
  opened_at TIMESTAMP NOT NULL,
  closed_at TIMESTAMP,
  closed_by TEXT NOT NULL DEFAULT '',
  note TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, subject)
);
CREATE INDEX payment_cases_by_payment ON payment_cases (payment_id);
CREATE INDEX payment_cases_open ON payment_cases (id) WHERE closed_at IS NULL;

-- How many units of another currency one unit of the shop's costs, in millionths.
CREATE TABLE exchange_rates (
  currency TEXT PRIMARY KEY NOT NULL,
  rate_micro BIGINT NOT NULL CHECK (rate_micro > 0),
  -- Where the rate is fetched from; NULL for one that an operator set.
  feed_url TEXT,
  feed_path TEXT,
  margin_basis_points INTEGER NOT NULL DEFAULT 0,
  -- When the rate was set or fetched last, and why a later one could not be.
  set_at TIMESTAMP NOT NULL,
  problem TEXT
);
