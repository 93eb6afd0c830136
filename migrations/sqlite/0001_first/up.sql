-- Accounts and who signs in to them.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  level SMALLINT NOT NULL DEFAULT 0 CHECK (level IN (0, 1, 2)),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended')),
  invite_code TEXT NOT NULL UNIQUE,
  invited_by BIGINT REFERENCES accounts (id),
  marketing TEXT NOT NULL DEFAULT '{}',
  show_invitation_code BOOLEAN NOT NULL DEFAULT 1,
  show_access_token BOOLEAN NOT NULL DEFAULT 0,
  company_name TEXT NOT NULL DEFAULT '',
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  country TEXT NOT NULL DEFAULT '',
  postal_code TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  tax_number TEXT NOT NULL DEFAULT '',
  website TEXT NOT NULL DEFAULT '',
  messenger TEXT NOT NULL DEFAULT '',
  -- The wholesale discount that the operator gave, in hundredths of a percent; in force only for a reseller.
  reseller_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (reseller_basis_points BETWEEN 0 AND 10000),
  created_at TIMESTAMP NOT NULL
);

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  time_zone TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX users_by_account ON users (account_id);

-- Who changed what an account is granted: rows are added, never changed. Without a user it was a command on the server.
CREATE TABLE account_terms_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  user_id BIGINT REFERENCES users (id),
  from_level SMALLINT NOT NULL,
  from_basis_points INTEGER NOT NULL,
  to_level SMALLINT NOT NULL,
  to_basis_points INTEGER NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX account_terms_changes_by_account ON account_terms_changes (account_id, id);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  token_sha256 TEXT NOT NULL UNIQUE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  expires_at TIMESTAMP NOT NULL,
  revoked_at TIMESTAMP
);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- Sign-ups whose address is not confirmed yet; nothing else exists of them.
CREATE TABLE sign_ups (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  invite_code TEXT NOT NULL,
  marketing TEXT NOT NULL,
  language TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  expires_at TIMESTAMP NOT NULL,
  used_at TIMESTAMP
);

CREATE TABLE password_resets (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id),
  created_at TIMESTAMP NOT NULL,
  expires_at TIMESTAMP NOT NULL,
  used_at TIMESTAMP
);
CREATE INDEX password_resets_by_user ON password_resets (user_id);

CREATE TABLE throttles (
  bucket TEXT PRIMARY KEY,
  hits INTEGER NOT NULL,
  window_ends_at TIMESTAMP NOT NULL
);

CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  recipient TEXT NOT NULL,
  language TEXT NOT NULL,
  template TEXT NOT NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMP NOT NULL,
  created_at TIMESTAMP NOT NULL,
  sent_at TIMESTAMP
);
CREATE INDEX mails_by_state ON mails (state, next_attempt_at);

-- The answer of a write that succeeded, stored in the transaction that did the work.
CREATE TABLE idempotency_keys (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  idempotency_key TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
);

-- What is sold.
CREATE TABLE tiers (
  ver_str TEXT PRIMARY KEY,
  node_type SMALLINT NOT NULL,
  label_en TEXT NOT NULL,
  label_zh TEXT NOT NULL,
  desc_en TEXT NOT NULL,
  desc_zh TEXT NOT NULL,
  price_minor BIGINT NOT NULL CHECK (price_minor >= 0),
  position INTEGER NOT NULL
);

CREATE TABLE periods (
  period_days INTEGER PRIMARY KEY CHECK (period_days > 0),
  discount_basis_points INTEGER NOT NULL CHECK (discount_basis_points BETWEEN 0 AND 10000)
);

CREATE TABLE quantity_steps (
  min_quantity INTEGER PRIMARY KEY CHECK (min_quantity > 0),
  discount_basis_points INTEGER NOT NULL CHECK (discount_basis_points BETWEEN 0 AND 10000)
);

CREATE TABLE targets (
  target TEXT PRIMARY KEY,
  name_en TEXT NOT NULL,
  name_zh TEXT NOT NULL,
  category TEXT NOT NULL,
  position INTEGER NOT NULL
);

-- What somebody owns, and what is for sale.
CREATE TABLE plans (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  ver_str TEXT NOT NULL REFERENCES tiers (ver_str),
  auto_renew BOOLEAN NOT NULL DEFAULT 0,
  access_mode TEXT NOT NULL DEFAULT 'password' CHECK (access_mode IN ('password', 'whitelist', 'both')),
  -- What every node of the plan answers to, where the customer has set it; otherwise each node has its own.
  user_name TEXT,
  password_sealed TEXT,
  old_user_name TEXT,
  old_password_sealed TEXT,
  old_valid_until TIMESTAMP,
  created_at TIMESTAMP NOT NULL,
  UNIQUE (account_id, ver_str)
);

CREATE TABLE plan_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  colour TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL,
  UNIQUE (account_id, name)
);

-- What a code takes off an order: a percentage or an amount.
CREATE TABLE coupons (
  code TEXT PRIMARY KEY NOT NULL,
  basis_points INTEGER CHECK (basis_points BETWEEN 1 AND 10000),
  amount_minor BIGINT CHECK (amount_minor > 0),
  minimum_minor BIGINT NOT NULL CHECK (minimum_minor >= 0),
  -- `VerStr` of tiers, as a JSON list; empty for all.
  products TEXT NOT NULL DEFAULT '[]',
  uses_per_account INTEGER CHECK (uses_per_account > 0),
  valid_from TIMESTAMP,
  valid_until TIMESTAMP,
  created_at TIMESTAMP NOT NULL,
  CHECK ((basis_points IS NULL) <> (amount_minor IS NULL))
);

CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  order_number TEXT NOT NULL UNIQUE,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('purchase', 'renewal', 'switch', 'top_up')),
  state TEXT NOT NULL CHECK (state IN ('unpaid', 'paid', 'fulfilled', 'partly_fulfilled', 'cancelled', 'expired', 'refunded')),
  currency TEXT NOT NULL,
  ver_str TEXT,
  period_days INTEGER,
  subtotal_minor BIGINT NOT NULL,
  discount_minor BIGINT NOT NULL,
  total_minor BIGINT NOT NULL CHECK (total_minor >= 0),
  -- What was given back of it: never more than was paid.
  refunded_minor BIGINT NOT NULL DEFAULT 0 CHECK (refunded_minor BETWEEN 0 AND total_minor),
  discounts TEXT NOT NULL DEFAULT '[]',
  coupon TEXT REFERENCES coupons (code),
  created_at TIMESTAMP NOT NULL,
  expires_at TIMESTAMP NOT NULL,
  paid_at TIMESTAMP,
  -- When it was cancelled, expired or given back whole.
  ended_at TIMESTAMP,
  CHECK (refunded_minor = 0 OR paid_at IS NOT NULL)
);
CREATE INDEX orders_by_account ON orders (account_id, id);
CREATE INDEX orders_by_state ON orders (state, expires_at);
CREATE INDEX orders_by_coupon ON orders (account_id, coupon) WHERE coupon IS NOT NULL;

CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  order_id BIGINT NOT NULL REFERENCES orders (id),
  ver_str TEXT NOT NULL,
  -- Where from; a renewal's lines are of no place.
  country TEXT,
  city TEXT,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_minor BIGINT NOT NULL,
  amount_minor BIGINT NOT NULL,
  net_minor BIGINT NOT NULL
);
CREATE INDEX order_lines_by_order ON order_lines (order_id);

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  ip TEXT NOT NULL UNIQUE,
  http_port INTEGER NOT NULL CHECK (http_port BETWEEN 1 AND 65535),
  socks5_port INTEGER NOT NULL CHECK (socks5_port BETWEEN 1 AND 65535),
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  isp TEXT NOT NULL,
  asn BIGINT NOT NULL,
  ver_str TEXT NOT NULL REFERENCES tiers (ver_str),
  node_type SMALLINT NOT NULL,
  state TEXT NOT NULL DEFAULT 'available'
    CHECK (state IN ('available', 'held', 'assigned', 'grace', 'quarantined', 'retired')),
  order_id BIGINT REFERENCES orders (id),
  account_id BIGINT REFERENCES accounts (id),
  plan_id BIGINT REFERENCES plans (id),
  group_id BIGINT REFERENCES plan_groups (id),
  user_name TEXT,
  password_sealed TEXT,
  old_user_name TEXT,
  old_password_sealed TEXT,
  old_valid_until TIMESTAMP,
  note TEXT NOT NULL DEFAULT '',
  auto_renew BOOLEAN NOT NULL DEFAULT 0,
  -- For how long it was bought, which is for how long it renews itself.
  period_days INTEGER,
  next_renewal_at TIMESTAMP,
  next_reminder_at TIMESTAMP,
  switched_at TIMESTAMP,
  supplier TEXT NOT NULL DEFAULT '',
  cost_minor BIGINT NOT NULL DEFAULT 0,
  assigned_at TIMESTAMP,
  expires_at TIMESTAMP,
  free_at TIMESTAMP,
  CHECK ((state IN ('assigned', 'grace')) = (account_id IS NOT NULL)),
  CHECK (state <> 'held' OR order_id IS NOT NULL)
);
CREATE INDEX nodes_for_sale ON nodes (state, ver_str, country, city, id);
CREATE INDEX nodes_by_account ON nodes (account_id, id);
CREATE INDEX nodes_by_order ON nodes (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX nodes_by_country ON nodes (account_id, country, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_end ON nodes (account_id, expires_at, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_expiry ON nodes (state, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX nodes_to_free ON nodes (free_at) WHERE free_at IS NOT NULL;
CREATE INDEX nodes_to_renew ON nodes (next_renewal_at, account_id) WHERE next_renewal_at IS NOT NULL;
CREATE INDEX nodes_to_remind ON nodes (next_reminder_at, account_id) WHERE next_reminder_at IS NOT NULL;
CREATE INDEX nodes_by_group ON nodes (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX nodes_by_plan ON nodes (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX nodes_with_old_credentials ON nodes (old_valid_until) WHERE old_valid_until IS NOT NULL;

CREATE TABLE node_targets (
  target TEXT NOT NULL REFERENCES targets (target),
  node_id BIGINT NOT NULL REFERENCES nodes (id),
  PRIMARY KEY (target, node_id)
);
CREATE INDEX node_targets_by_node ON node_targets (node_id, target);

-- How many nodes stand where, and how many of them are for sale: kept by triggers in the transaction that changes a node, so that
-- nobody counts the inventory. `target` is '' for all nodes, otherwise only those good for it are counted.
CREATE TABLE stock (
  target TEXT NOT NULL,
  ver_str TEXT NOT NULL,
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  isp TEXT NOT NULL,
  node_type SMALLINT NOT NULL,
  -- Not retired, whoever has them.
  served BIGINT NOT NULL,
  available BIGINT NOT NULL,
  PRIMARY KEY (target, ver_str, country, city, isp, node_type)
);

CREATE TRIGGER stock_of_new_nodes AFTER INSERT ON nodes BEGIN
  INSERT INTO stock VALUES
    ('', NEW.ver_str, NEW.country, NEW.city, NEW.isp, NEW.node_type, NEW.state <> 'retired', NEW.state = 'available')
    ON CONFLICT DO UPDATE SET served = served + excluded.served, available = available + excluded.available;
END;

CREATE TRIGGER stock_of_changed_nodes AFTER UPDATE OF state, ver_str, country, city, isp, node_type ON nodes
WHEN 'available' IN (OLD.state, NEW.state) OR 'retired' IN (OLD.state, NEW.state)
  OR (OLD.ver_str, OLD.country, OLD.city, OLD.isp, OLD.node_type)
    <> (NEW.ver_str, NEW.country, NEW.city, NEW.isp, NEW.node_type)
BEGIN
  UPDATE stock SET served = served - (OLD.state <> 'retired'), available = available - (OLD.state = 'available')
    WHERE target IN (SELECT '' UNION ALL SELECT fits.target FROM node_targets AS fits WHERE fits.node_id = OLD.id)
      AND (ver_str, country, city, isp, node_type) = (OLD.ver_str, OLD.country, OLD.city, OLD.isp, OLD.node_type);
  INSERT INTO stock
    SELECT fits.target, NEW.ver_str, NEW.country, NEW.city, NEW.isp, NEW.node_type,
      NEW.state <> 'retired', NEW.state = 'available'
    FROM (SELECT '' AS target UNION ALL SELECT target FROM node_targets WHERE node_id = NEW.id) AS fits WHERE TRUE
    ON CONFLICT DO UPDATE SET served = served + excluded.served, available = available + excluded.available;
END;

CREATE TRIGGER stock_of_new_targets AFTER INSERT ON node_targets BEGIN
  INSERT INTO stock
    SELECT NEW.target, ver_str, country, city, isp, node_type, state <> 'retired', state = 'available'
    FROM nodes WHERE id = NEW.node_id
    ON CONFLICT DO UPDATE SET served = served + excluded.served, available = available + excluded.available;
END;

CREATE TRIGGER stock_of_old_targets AFTER DELETE ON node_targets BEGIN
  UPDATE stock SET served = served - (node.state <> 'retired'), available = available - (node.state = 'available')
    FROM nodes AS node WHERE node.id = OLD.node_id AND stock.target = OLD.target
      AND (stock.ver_str, stock.country, stock.city, stock.isp, stock.node_type)
        = (node.ver_str, node.country, node.city, node.isp, node.node_type);
END;

-- Which nodes an order sold, for good: the node itself moves on.
CREATE TABLE order_nodes (
  order_id BIGINT NOT NULL REFERENCES orders (id),
  node_id BIGINT NOT NULL REFERENCES nodes (id),
  -- The node's part of the order's total.
  net_minor BIGINT NOT NULL,
  -- The time that it paid for, once it is delivered; a switch pays for none.
  starts_at TIMESTAMP,
  ends_at TIMESTAMP,
  PRIMARY KEY (order_id, node_id)
);

-- Which address took another's place.
CREATE TABLE node_switches (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  user_id BIGINT NOT NULL REFERENCES users (id),
  old_node_id BIGINT NOT NULL REFERENCES nodes (id),
  new_node_id BIGINT NOT NULL REFERENCES nodes (id),
  old_ip TEXT NOT NULL,
  new_ip TEXT NOT NULL,
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  ver_str TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('quota', 'unit_price', 'specified')),
  uses_quota BOOLEAN NOT NULL,
  reason TEXT NOT NULL,
  cost_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  order_id BIGINT REFERENCES orders (id),
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX node_switches_by_account ON node_switches (account_id, created_at);

-- Whose requests pass without a password, for all nodes of a plan.
CREATE TABLE white_list (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  ver_str TEXT NOT NULL REFERENCES tiers (ver_str),
  address TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP,
  UNIQUE (account_id, ver_str, address)
);

-- Cards that a gateway remembers for automatic top-ups: what it calls them, never their numbers.
CREATE TABLE remembered_cards (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  payment_method TEXT NOT NULL CHECK (payment_method IN ('sandbox', 'stripe')),
  -- NULL once the gateway has forgotten it, too.
  reference_sealed TEXT,
  brand TEXT NOT NULL,
  last_four TEXT NOT NULL,
  expires_month INTEGER NOT NULL CHECK (expires_month BETWEEN 1 AND 12),
  expires_year INTEGER NOT NULL,
  created_at TIMESTAMP NOT NULL,
  forgotten_at TIMESTAMP,
  -- When the gateway is told next to forget it.
  forget_at TIMESTAMP
);
CREATE UNIQUE INDEX remembered_cards_one_for_each_account ON remembered_cards (account_id) WHERE forgotten_at IS NULL;
CREATE INDEX remembered_cards_to_forget ON remembered_cards (forget_at) WHERE forget_at IS NOT NULL;

-- A card that is to be remembered: begun in the shop, entered on the gateway's page.
CREATE TABLE card_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id TEXT NOT NULL UNIQUE,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  payment_method TEXT NOT NULL CHECK (payment_method IN ('sandbox', 'stripe')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed', 'expired')),
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  -- What the gateway calls it, once it knows of it.
  session_id TEXT,
  created_at TIMESTAMP NOT NULL,
  next_query_at TIMESTAMP
);
CREATE INDEX card_requests_to_ask ON card_requests (next_query_at) WHERE next_query_at IS NOT NULL;

-- Automatic top-ups, as the customer set them, and how the latest went.
CREATE TABLE auto_top_ups (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  is_on BOOLEAN NOT NULL,
  threshold_minor BIGINT NOT NULL CHECK (threshold_minor > 0),
  amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
  monthly_limit_minor BIGINT NOT NULL CHECK (monthly_limit_minor >= amount_minor),
  -- When the customer agreed to be charged like this.
  agreed_at TIMESTAMP NOT NULL,
  -- Charges in a row that failed, and why and when the latest did.
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failure TEXT,
  failed_at TIMESTAMP,
  limit_told_at TIMESTAMP,
  CHECK (failures = 0 OR (failure IS NOT NULL AND failed_at IS NOT NULL))
);

-- Money. A payment is one attempt to pay an order.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id TEXT NOT NULL UNIQUE,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  order_id BIGINT NOT NULL REFERENCES orders (id),
  payment_method TEXT NOT NULL CHECK (payment_method IN ('wallet', 'sandbox', 'stripe', 'transfer')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed', 'expired')),
  amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  -- The language that the customer pays in: the gateway's page is shown in it.
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  -- What the gateway calls it, once it knows of it.
  charge_id TEXT,
  -- The remembered card that an automatic top-up is charged to; NULL where the customer pays.
  card_id BIGINT REFERENCES remembered_cards (id),
  created_at TIMESTAMP NOT NULL,
  settled_at TIMESTAMP,
  next_query_at TIMESTAMP
);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX payments_automatic ON payments (account_id, created_at) WHERE card_id IS NOT NULL;
-- At most one automatic top-up of an account is under way.
CREATE UNIQUE INDEX payments_one_automatic ON payments (account_id) WHERE card_id IS NOT NULL AND state = 'pending';
CREATE INDEX payments_to_ask ON payments (next_query_at) WHERE next_query_at IS NOT NULL;

-- What the sandbox gateway knows of its payments: its own side of the counter, kept apart from the shop's.
CREATE TABLE sandbox_charges (
  public_id TEXT PRIMARY KEY,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('open', 'approved', 'declined'))
);

-- The cards that the sandbox gateway remembers, and how each behaves when it is charged.
CREATE TABLE sandbox_cards (
  public_id TEXT PRIMARY KEY,
  behaviour TEXT NOT NULL CHECK (behaviour IN ('open', 'cancelled', 'good', 'declining', 'asking', 'forgotten'))
);

-- Every callback as it came, before anybody judged it.
CREATE TABLE gateway_callbacks (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  gateway TEXT NOT NULL,
  body TEXT NOT NULL,
  signature TEXT NOT NULL,
  payment_id BIGINT REFERENCES payments (id),
  verdict TEXT,
  received_at TIMESTAMP NOT NULL,
  judged_at TIMESTAMP
);

CREATE TABLE wallets (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  currency TEXT NOT NULL,
  balance_minor BIGINT NOT NULL DEFAULT 0 CHECK (balance_minor >= 0),
  total_expenses_minor BIGINT NOT NULL DEFAULT 0,
  -- Below which balance its customer wants a mail; none when NULL. One mail for each falling below.
  low_balance_minor BIGINT CHECK (low_balance_minor > 0),
  is_told_of_low_balance BOOLEAN NOT NULL DEFAULT 0,
  -- Does anything follow from how the balance moves? Then every movement has a job look at it.
  is_watched BOOLEAN NOT NULL DEFAULT 0,
  next_look_at TIMESTAMP
);
CREATE INDEX wallets_to_look_at ON wallets (next_look_at) WHERE next_look_at IS NOT NULL;

-- The ledger: rows are added, never changed. The reference makes every movement happen once.
CREATE TABLE ledger_transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  reference TEXT NOT NULL UNIQUE,
  order_id BIGINT REFERENCES orders (id),
  wallet_change_minor BIGINT NOT NULL,
  balance_after_minor BIGINT NOT NULL CHECK (balance_after_minor >= 0),
  currency TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX ledger_transactions_by_account ON ledger_transactions (account_id, id);

CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  transaction_id BIGINT NOT NULL REFERENCES ledger_transactions (id),
  book TEXT NOT NULL CHECK (book IN ('wallet', 'gateway', 'revenue', 'commission', 'refund')),
  account_id BIGINT REFERENCES accounts (id),
  amount_minor BIGINT NOT NULL CHECK (amount_minor <> 0)
);
CREATE INDEX ledger_entries_by_transaction ON ledger_entries (transaction_id);

-- Who sells, as it stands on invoices from now on: a copy of the settings that the server was started with.
CREATE TABLE sellers (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  tax_number TEXT NOT NULL,
  email TEXT NOT NULL
);

-- The last number of each series of invoices. Its row is locked by whoever issues, so that no number is left out.
CREATE TABLE invoice_counters (
  series TEXT PRIMARY KEY,
  last_number BIGINT NOT NULL
);

-- Invoices and credit notes: rows are added, never changed.
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
  invoice_number TEXT NOT NULL UNIQUE,
  series TEXT NOT NULL REFERENCES invoice_counters (series),
  number_in_series BIGINT NOT NULL CHECK (number_in_series > 0),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  order_id BIGINT NOT NULL REFERENCES orders (id),
  -- The invoice that a credit note takes from.
  corrects_id BIGINT REFERENCES invoices (id),
  currency TEXT NOT NULL,
  total_minor BIGINT NOT NULL CHECK (total_minor >= 0),
  -- What it says, as it was then.
  snapshot TEXT NOT NULL,
  issued_at TIMESTAMP NOT NULL,
  UNIQUE (series, number_in_series),
  CHECK ((kind = 'credit_note') = (corrects_id IS NOT NULL))
);
CREATE UNIQUE INDEX invoices_one_for_each_order ON invoices (order_id) WHERE kind = 'invoice';
CREATE INDEX invoices_by_order ON invoices (order_id);
CREATE INDEX invoices_by_account ON invoices (account_id, id);

-- What was given back of an order, to its account's wallet. Without a user it was the shop itself.
CREATE TABLE refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  order_id BIGINT NOT NULL REFERENCES orders (id),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  user_id BIGINT REFERENCES users (id),
  credit_note_id BIGINT REFERENCES invoices (id),
  amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
  reason TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX refunds_by_order ON refunds (order_id);

-- The nodes whose unused time a refund gave back, as they were then: the next refund's rounding goes on from them.
CREATE TABLE refund_nodes (
  refund_id BIGINT NOT NULL REFERENCES refunds (id),
  -- The node that the order sold, and the one that stood in its place when it ended.
  node_id BIGINT NOT NULL REFERENCES nodes (id),
  ended_node_id BIGINT NOT NULL REFERENCES nodes (id),
  paid_minor BIGINT NOT NULL,
  refunded_minor BIGINT NOT NULL,
  unused_seconds BIGINT NOT NULL,
  amount_minor BIGINT NOT NULL CHECK (amount_minor >= 0),
  PRIMARY KEY (refund_id, node_id)
);

-- What the nightly check of the books found wrong; it stands until a check finds nothing.
CREATE TABLE alarms (
  alarm TEXT PRIMARY KEY,
  problems TEXT NOT NULL,
  raised_at TIMESTAMP NOT NULL,
  checked_at TIMESTAMP NOT NULL
);

CREATE INDEX accounts_by_level ON accounts (level);
CREATE INDEX gateway_callbacks_by_payment ON gateway_callbacks (payment_id);

-- When a job that runs once a day is due, for whichever server comes first.
CREATE TABLE daily_jobs (
  job TEXT PRIMARY KEY,
  next_run_at TIMESTAMP NOT NULL
);

-- A known word sealed with the shop's secret key: a server with another key finds out before it seals anything.
CREATE TABLE secret_checks (
  purpose TEXT PRIMARY KEY NOT NULL,
  sealed TEXT NOT NULL
);

-- For the jobs that judge callbacks which a crash left unjudged, and that forget what nobody needs any more.
CREATE INDEX gateway_callbacks_to_judge ON gateway_callbacks (received_at) WHERE judged_at IS NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sign_ups_by_end ON sign_ups (expires_at);
CREATE INDEX password_resets_by_end ON password_resets (expires_at);
CREATE INDEX throttles_by_end ON throttles (window_ends_at);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
