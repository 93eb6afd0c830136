-- The seller's figures of each day that is over, in UTC: counted by a job, so that charts read one row a day.
CREATE TABLE shop_days (
  day DATE PRIMARY KEY NOT NULL,
  orders BIGINT NOT NULL,
  revenue_minor BIGINT NOT NULL,
  refunded_minor BIGINT NOT NULL,
  new_accounts BIGINT NOT NULL,
  traffic_bytes BIGINT NOT NULL,
  -- Accounts with something in use when the day ended, and those that had something a day before and have nothing any more.
  customers BIGINT,
  customers_left BIGINT,
  counted_at TIMESTAMP NOT NULL
);

CREATE TABLE shop_sales (
  day DATE NOT NULL REFERENCES shop_days (day) ON DELETE CASCADE,
  -- The `ver_str` of the orders; empty for orders of several products.
  product TEXT NOT NULL,
  orders BIGINT NOT NULL,
  revenue_minor BIGINT NOT NULL,
  PRIMARY KEY (day, product)
);

-- The accounts with something in use when they were counted last.
CREATE TABLE shop_customers (
  account_id BIGINT PRIMARY KEY NOT NULL REFERENCES accounts (id)
);

CREATE INDEX orders_by_payment_time ON orders (paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX refunds_by_time ON refunds (created_at);
CREATE INDEX accounts_by_time ON accounts (created_at);
CREATE INDEX usage_days_by_time ON usage_days (starts_at) WHERE dimension = 'all';

-- What the mail server said when it refused a mail last.
ALTER TABLE mails ADD COLUMN error TEXT NOT NULL DEFAULT '';

-- The last run of each background job, of any server of the shop.
CREATE TABLE job_runs (
  job TEXT PRIMARY KEY NOT NULL,
  pause_seconds INTEGER NOT NULL,
  began_at TIMESTAMP NOT NULL,
  took_ms BIGINT NOT NULL,
  -- Empty if it succeeded.
  error TEXT NOT NULL,
  failing_since TIMESTAMP
);

-- Backups that were written and read back.
CREATE TABLE backups (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  began_at TIMESTAMP NOT NULL,
  took_ms BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  is_encrypted BOOLEAN NOT NULL,
  file_name TEXT NOT NULL
);
