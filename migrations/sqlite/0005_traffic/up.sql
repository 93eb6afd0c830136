-- Residential traffic: prices, purchases, proxy users, proxy servers, and usage.

-- The price per gigabyte for orders of at least this many. `period_days` 0 is traffic without expiry.
CREATE TABLE traffic_steps (
  period_days INTEGER NOT NULL CHECK (period_days >= 0),
  min_gigabytes INTEGER NOT NULL CHECK (min_gigabytes > 0),
  price_minor BIGINT NOT NULL CHECK (price_minor >= 0),
  PRIMARY KEY (period_days, min_gigabytes)
);
INSERT INTO traffic_steps (period_days, min_gigabytes, price_minor) VALUES
  (30, 1, 400), (30, 10, 350), (30, 50, 300), (30, 100, 260), (30, 500, 220), (30, 1000, 190),
  (0, 1, 500), (0, 10, 440), (0, 50, 380), (0, 100, 330), (0, 500, 280), (0, 1000, 240);

-- The traffic of one order. Used, returned and left bytes add up to the bytes bought.
CREATE TABLE traffic_batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  order_id BIGINT NOT NULL UNIQUE REFERENCES orders (id),
  bought_bytes BIGINT NOT NULL CHECK (bought_bytes > 0),
  used_bytes BIGINT NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  -- Taken back by refunds.
  returned_bytes BIGINT NOT NULL DEFAULT 0 CHECK (returned_bytes >= 0),
  -- Bought by an automatic reorder.
  is_reorder BOOLEAN NOT NULL DEFAULT 0,
  begins_at TIMESTAMP NOT NULL,
  -- NULL for no expiry.
  ends_at TIMESTAMP,
  next_reminder_at TIMESTAMP,
  CHECK (used_bytes + returned_bytes <= bought_bytes)
);
CREATE INDEX traffic_batches_by_account ON traffic_batches (account_id, id);
CREATE INDEX traffic_batches_to_remind ON traffic_batches (next_reminder_at) WHERE next_reminder_at IS NOT NULL;

-- One row per account that has ever bought traffic. Lock it before changing the account's batches.
CREATE TABLE traffic_accounts (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  -- Bytes used after all batches were used up, until connections were refused. Not charged.
  overdraft_bytes BIGINT NOT NULL DEFAULT 0 CHECK (overdraft_bytes >= 0),
  -- When its batches last changed in a way that affects whether its proxy users may connect.
  changed_at TIMESTAMP NOT NULL,
  -- When a job next checks whether to reorder.
  next_look_at TIMESTAMP
);
CREATE INDEX traffic_accounts_changed ON traffic_accounts (changed_at);
CREATE INDEX traffic_accounts_to_look_at ON traffic_accounts (next_look_at) WHERE next_look_at IS NOT NULL;

-- Automatic reorders: the customer's settings and the latest result.
CREATE TABLE traffic_reorders (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  is_on BOOLEAN NOT NULL,
  -- Reorder when less than this is left.
  threshold_bytes BIGINT NOT NULL CHECK (threshold_bytes > 0),
  gigabytes INTEGER NOT NULL CHECK (gigabytes > 0),
  period_days INTEGER NOT NULL CHECK (period_days >= 0),
  monthly_limit_minor BIGINT NOT NULL CHECK (monthly_limit_minor > 0),
  -- When the customer consented to these charges.
  agreed_at TIMESTAMP NOT NULL,
  failure TEXT,
  failed_at TIMESTAMP,
  limit_told_at TIMESTAMP,
  CHECK ((failure IS NULL) = (failed_at IS NULL))
);

-- Sub-users of residential traffic.
CREATE TABLE proxy_users (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  password_sealed TEXT NOT NULL,
  old_password_sealed TEXT,
  old_valid_until TIMESTAMP,
  note TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'exhausted', 'expired', 'deleted')),
  limit_bytes BIGINT CHECK (limit_bytes > 0),
  limit_cycle TEXT NOT NULL CHECK (limit_cycle IN ('none', 'day', 'week', 'month')),
  -- In this cycle, and since creation.
  used_bytes BIGINT NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  total_bytes BIGINT NOT NULL DEFAULT 0 CHECK (total_bytes >= 0),
  cycle_starts_at TIMESTAMP NOT NULL,
  cycle_ends_at TIMESTAMP,
  expires_at TIMESTAMP,
  -- Two-letter codes, as a JSON list; empty for all countries.
  countries TEXT NOT NULL DEFAULT '[]',
  last_used_at TIMESTAMP,
  created_at TIMESTAMP NOT NULL,
  -- When anything last changed that affects whether it may connect.
  changed_at TIMESTAMP NOT NULL,
  deleted_at TIMESTAMP,
  CHECK ((state = 'deleted') = (deleted_at IS NOT NULL)),
  CHECK ((old_password_sealed IS NULL) = (old_valid_until IS NULL))
);
-- The name alone identifies the owner of traffic, so it is unique in the shop.
CREATE UNIQUE INDEX proxy_users_by_name ON proxy_users (name) WHERE deleted_at IS NULL;
CREATE INDEX proxy_users_by_account ON proxy_users (account_id, id) WHERE deleted_at IS NULL;
-- Usage of deleted ones may be reported late.
CREATE INDEX proxy_users_by_any_name ON proxy_users (name);
CREATE INDEX proxy_users_changed ON proxy_users (changed_at);
CREATE INDEX proxy_users_cycles ON proxy_users (cycle_ends_at) WHERE cycle_ends_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX proxy_users_to_expire ON proxy_users (expires_at) WHERE expires_at IS NOT NULL AND state <> 'expired' AND deleted_at IS NULL;
CREATE INDEX proxy_users_old_passwords ON proxy_users (old_valid_until) WHERE old_valid_until IS NOT NULL;
CREATE INDEX proxy_users_deleted ON proxy_users (deleted_at) WHERE deleted_at IS NOT NULL;

-- Addresses whose connections need no password, and count for this proxy user.
CREATE TABLE proxy_user_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  proxy_user_id BIGINT NOT NULL REFERENCES proxy_users (id),
  -- A network in canonical form. It belongs to one proxy user of the shop.
  address TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP
);
CREATE INDEX proxy_user_addresses_by_account ON proxy_user_addresses (account_id, id);
CREATE INDEX proxy_user_addresses_by_user ON proxy_user_addresses (proxy_user_id);

-- Registered proxy servers. Removed ones are kept, because usage records refer to them.
CREATE TABLE proxy_servers (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('residential', 'static')),
  host TEXT NOT NULL,
  http_port INTEGER NOT NULL CHECK (http_port BETWEEN 1 AND 65535),
  socks5_port INTEGER CHECK (socks5_port BETWEEN 1 AND 65535),
  secret_sha256 TEXT NOT NULL UNIQUE,
  created_at TIMESTAMP NOT NULL,
  last_seen_at TIMESTAMP,
  removed_at TIMESTAMP
);
CREATE UNIQUE INDEX proxy_servers_by_name ON proxy_servers (name) WHERE removed_at IS NULL;

-- Usage records. A record is identified by its server, the server's own id for it, and its time.
CREATE TABLE usage_records (
  server_id BIGINT NOT NULL,
  record_id TEXT NOT NULL,
  used_at TIMESTAMP NOT NULL,
  account_id BIGINT NOT NULL,
  -- NULL for traffic of a static proxy.
  proxy_user_id BIGINT,
  node_id BIGINT,
  country TEXT NOT NULL,
  target TEXT NOT NULL,
  upload_bytes BIGINT NOT NULL CHECK (upload_bytes >= 0),
  download_bytes BIGINT NOT NULL CHECK (download_bytes >= 0),
  received_at TIMESTAMP NOT NULL,
  PRIMARY KEY (server_id, record_id, used_at)
) WITHOUT ROWID;

CREATE INDEX usage_records_by_age ON usage_records (used_at);

-- The sums of each report, written with its records; a job aggregates them and deletes the row.
CREATE TABLE usage_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  sums TEXT NOT NULL,
  received_at TIMESTAMP NOT NULL
);

-- Rejected records.
CREATE TABLE rejected_usage (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  server_id BIGINT NOT NULL REFERENCES proxy_servers (id),
  record_sha256 TEXT NOT NULL,
  -- The start of the record as received.
  record TEXT NOT NULL,
  reason TEXT NOT NULL,
  times BIGINT NOT NULL DEFAULT 1,
  received_at TIMESTAMP NOT NULL,
  UNIQUE (server_id, record_sha256)
);
CREATE INDEX rejected_usage_by_age ON rejected_usage (received_at);

-- The sums of an account by hour and by day, in UTC: in total (`name` is ''), and by proxy user, node, country and target.
CREATE TABLE usage_hours (
  account_id BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('residential', 'static')),
  dimension TEXT NOT NULL CHECK (dimension IN ('all', 'user', 'node', 'country', 'target')),
  starts_at TIMESTAMP NOT NULL,
  name TEXT NOT NULL,
  upload_bytes BIGINT NOT NULL,
  download_bytes BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (account_id, kind, dimension, starts_at, name)
) WITHOUT ROWID;
CREATE INDEX usage_hours_by_age ON usage_hours (starts_at);
-- The usage of one proxy user over months.
CREATE INDEX usage_hours_of_users ON usage_hours (account_id, name, starts_at) WHERE dimension = 'user';

CREATE TABLE usage_days (
  account_id BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('residential', 'static')),
  dimension TEXT NOT NULL CHECK (dimension IN ('all', 'user', 'node', 'country', 'target')),
  starts_at TIMESTAMP NOT NULL,
  name TEXT NOT NULL,
  upload_bytes BIGINT NOT NULL,
  download_bytes BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (account_id, kind, dimension, starts_at, name)
) WITHOUT ROWID;

-- Saved settings of the endpoint generator.
CREATE TABLE endpoint_presets (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  UNIQUE (account_id, name)
);

-- URLs from which scripts fetch a list of endpoints, by a token of which only the hash is stored.
CREATE TABLE endpoint_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  proxy_user_id BIGINT NOT NULL REFERENCES proxy_users (id),
  name TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP,
  last_address TEXT,
  uses BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX endpoint_lists_by_account ON endpoint_lists (account_id, id);
CREATE INDEX endpoint_lists_by_user ON endpoint_lists (proxy_user_id);

-- Suspended accounts: every server keeps them in memory.
CREATE INDEX accounts_suspended ON accounts (id) WHERE state <> 'active';
