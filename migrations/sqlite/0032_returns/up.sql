-- Money that gateways take back.
-- Only the condition changes, no stored row does: the way that SQLite's documentation gives for it.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'book IN (''wallet'', ''gateway'', ''revenue'', ''commission'', ''refund'')', 'book IN (''wallet'', ''gateway'', ''revenue'', ''commission'', ''refund'', ''owed'')')
  WHERE type = 'table' AND name = 'ledger_entries';
UPDATE sqlite_schema SET sql = replace(sql, '''payment.late'',', '''payment.late'', ''payment.taken_back'', ''payment.given_back'',')
  WHERE type = 'table' AND name IN ('events', 'webhook_deliveries', 'notification_choices', 'mails');
PRAGMA writable_schema = RESET;

-- What a customer owes: money that a gateway took back, and that the wallet could not cover. A wallet that owes is empty.
ALTER TABLE wallets ADD COLUMN owed_minor BIGINT NOT NULL DEFAULT 0 CHECK (owed_minor >= 0);
-- Whether a job has to end what was bought with the money, if the seller wants that.
ALTER TABLE wallets ADD COLUMN is_to_end BOOLEAN NOT NULL DEFAULT 0;
-- What the order brought less because its money was taken back, and its customer owes it.
ALTER TABLE orders ADD COLUMN lost_minor BIGINT NOT NULL DEFAULT 0 CHECK (lost_minor >= 0);

-- Money of a payment that its gateway took back: a refund made there, a dispute, or what turned out not to have been paid.
CREATE TABLE payment_returns (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  payment_id BIGINT NOT NULL REFERENCES payments (id),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  -- The gateway's id of it.
  reference TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  -- What the gateway says, in the currency of the charge.
  reported_minor BIGINT NOT NULL,
  reported_currency TEXT NOT NULL,
  -- The same in the currency of the wallet, and what of it the ledger has taken: no more than was credited for the payment.
  claimed_minor BIGINT NOT NULL CHECK (claimed_minor >= 0),
  taken_minor BIGINT NOT NULL DEFAULT 0 CHECK (taken_minor >= 0),
  -- What of it the wallet did not cover.
  uncovered_minor BIGINT NOT NULL DEFAULT 0 CHECK (uncovered_minor >= 0),
  -- How often the ledger has moved money for it.
  postings INTEGER NOT NULL DEFAULT 0,
  reason TEXT NOT NULL DEFAULT '',
  -- Until when evidence can be handed in.
  due_at TIMESTAMP,
  opened_at TIMESTAMP NOT NULL,
  changed_at TIMESTAMP NOT NULL,
  UNIQUE (payment_id, reference)
);
CREATE INDEX payment_returns_by_account ON payment_returns (account_id, id);
CREATE INDEX payment_returns_open ON payment_returns (id) WHERE state = 'open';

-- The reversal of a commission because the money of its order was taken back, and its sources. The three parts add up. A table besides that of reversals
-- by refunds, because the version before cannot read one of those without a refund.
CREATE TABLE commission_losses (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  commission_id BIGINT NOT NULL REFERENCES commissions (id),
  return_id BIGINT NOT NULL REFERENCES payment_returns (id),
  from_commission_minor BIGINT NOT NULL CHECK (from_commission_minor >= 0),
  from_wallet_minor BIGINT NOT NULL CHECK (from_wallet_minor >= 0),
  owed_minor BIGINT NOT NULL CHECK (owed_minor >= 0),
  created_at TIMESTAMP NOT NULL,
  UNIQUE (commission_id, return_id)
);

-- What the sandbox took back.
CREATE TABLE sandbox_returns (
  reference TEXT PRIMARY KEY NOT NULL,
  public_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  amount_minor BIGINT NOT NULL
);
CREATE INDEX sandbox_returns_by_charge ON sandbox_returns (public_id);
