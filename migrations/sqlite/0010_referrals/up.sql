-- Referrals, and notification settings of users.

-- Commission rules: each applies to accounts that sign up from this time on, until the next rule begins. Rows are added, never changed.
CREATE TABLE referral_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  rate_basis_points INTEGER NOT NULL CHECK (rate_basis_points BETWEEN 0 AND 10000),
  valid_from TIMESTAMP NOT NULL UNIQUE,
  -- Who added it; NULL for a command on the server.
  user_id BIGINT REFERENCES users (id),
  created_at TIMESTAMP NOT NULL
);
INSERT INTO referral_rules (rate_basis_points, valid_from, created_at) VALUES (1000, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);

-- An account that signed up with another's invitation code, and the rule in force then.
CREATE TABLE referrals (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  referrer_id BIGINT NOT NULL REFERENCES accounts (id),
  -- NULL for accounts that signed up before there were rules: their orders earn nothing.
  rule_id BIGINT REFERENCES referral_rules (id),
  review TEXT NOT NULL DEFAULT 'none' CHECK (review IN ('none', 'to_review', 'approved', 'refused')),
  -- The reasons for a review, as JSON.
  doubts TEXT NOT NULL DEFAULT '[]',
  note TEXT NOT NULL DEFAULT '',
  reviewed_by BIGINT REFERENCES users (id),
  reviewed_at TIMESTAMP,
  created_at TIMESTAMP NOT NULL,
  CHECK (account_id <> referrer_id),
  CHECK ((reviewed_at IS NOT NULL) = (review IN ('approved', 'refused')))
);
CREATE INDEX referrals_by_referrer ON referrals (referrer_id, account_id);
CREATE INDEX referrals_to_review ON referrals (account_id) WHERE review = 'to_review';
INSERT INTO referrals (account_id, referrer_id, created_at)
  SELECT id, invited_by, created_at FROM accounts WHERE invited_by IS NOT NULL;

-- The amount a referrer owes: commissions that were reversed after they had been moved to the wallet and spent.
CREATE TABLE referrers (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  owed_minor BIGINT NOT NULL CHECK (owed_minor >= 0)
);

-- Moves of available commissions to a referrer's wallet. The owed amount is paid off first.
CREATE TABLE commission_moves (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
  owed_minor BIGINT NOT NULL CHECK (owed_minor >= 0),
  currency TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX commission_moves_by_account ON commission_moves (account_id, id);

-- The commission of one order.
CREATE TABLE commissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  referrer_id BIGINT NOT NULL REFERENCES accounts (id),
  account_id BIGINT NOT NULL REFERENCES referrals (account_id),
  order_id BIGINT NOT NULL UNIQUE REFERENCES orders (id),
  rate_basis_points INTEGER NOT NULL CHECK (rate_basis_points BETWEEN 1 AND 10000),
  earned_minor BIGINT NOT NULL CHECK (earned_minor > 0),
  -- The remaining amount after refunds.
  amount_minor BIGINT NOT NULL CHECK (amount_minor BETWEEN 0 AND earned_minor),
  currency TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'available', 'moved', 'taken_back', 'refused')),
  available_at TIMESTAMP NOT NULL,
  -- The amount moved, and the move.
  move_id BIGINT REFERENCES commission_moves (id),
  moved_minor BIGINT CHECK (moved_minor > 0),
  created_at TIMESTAMP NOT NULL,
  CHECK ((move_id IS NULL) = (moved_minor IS NULL)),
  CHECK (state <> 'moved' OR move_id IS NOT NULL),
  CHECK ((state = 'taken_back') = (amount_minor = 0))
);
CREATE INDEX commissions_by_referrer ON commissions (referrer_id, id);
CREATE INDEX commissions_by_time ON commissions (referrer_id, created_at);
CREATE INDEX commissions_by_account ON commissions (account_id, id);
CREATE INDEX commissions_by_move ON commissions (move_id) WHERE move_id IS NOT NULL;
CREATE INDEX commissions_to_mature ON commissions (available_at) WHERE state = 'pending';
CREATE INDEX commissions_to_move ON commissions (referrer_id, id) WHERE state = 'available';

-- The reversal of a commission by a refund, and its sources. The three parts add up.
CREATE TABLE commission_take_backs (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  commission_id BIGINT NOT NULL REFERENCES commissions (id),
  refund_id BIGINT NOT NULL UNIQUE REFERENCES refunds (id),
  from_commission_minor BIGINT NOT NULL CHECK (from_commission_minor >= 0),
  from_wallet_minor BIGINT NOT NULL CHECK (from_wallet_minor >= 0),
  owed_minor BIGINT NOT NULL CHECK (owed_minor >= 0),
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX commission_take_backs_by_commission ON commission_take_backs (commission_id);

-- The user has read all events up to this one, and single ones after it.
ALTER TABLE users ADD COLUMN read_up_to BIGINT NOT NULL DEFAULT 0;
CREATE TABLE notification_reads (
  user_id BIGINT NOT NULL REFERENCES users (id),
  event_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, event_id)
) WITHOUT ROWID;
CREATE INDEX notification_reads_by_event ON notification_reads (event_id);

-- A user's setting for a kind of event. Without a row, everything is on.
CREATE TABLE notification_choices (
  user_id BIGINT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN (
    'order.paid', 'order.refunded', 'order.expired', 'payment.late', 'proxies.ending', 'proxies.ended',
    'proxies.renewed', 'proxies.renewal_failed', 'proxies.switched', 'traffic.ending', 'traffic.reorder_failed',
    'traffic.reorder_limit', 'proxy_user.limit_reached', 'wallet.low', 'wallet.topped_up', 'wallet.auto_top_up_done',
    'wallet.auto_top_up_failed', 'wallet.auto_top_up_limit', 'referral.commission_earned', 'support.answered',
    'webhook.disabled', 'webhook.test', 'security.new_device', 'security.changed'
  )),
  on_screen BOOLEAN NOT NULL,
  by_mail BOOLEAN NOT NULL,
  PRIMARY KEY (user_id, kind)
) WITHOUT ROWID;

-- The kind of event and recipient of a mail, for its unsubscribe link. NULL for mails that the recipient requested.
ALTER TABLE mails ADD COLUMN user_id BIGINT;
ALTER TABLE mails ADD COLUMN event_kind TEXT CHECK (event_kind IN (
  'order.paid', 'order.refunded', 'order.expired', 'payment.late', 'proxies.ending', 'proxies.ended',
  'proxies.renewed', 'proxies.renewal_failed', 'proxies.switched', 'traffic.ending', 'traffic.reorder_failed',
  'traffic.reorder_limit', 'proxy_user.limit_reached', 'wallet.low', 'wallet.topped_up', 'wallet.auto_top_up_done',
  'wallet.auto_top_up_failed', 'wallet.auto_top_up_limit', 'referral.commission_earned', 'support.answered',
  'webhook.disabled', 'webhook.test', 'security.new_device', 'security.changed'
));

-- Cards are compared to detect two accounts of one person.
CREATE INDEX remembered_cards_by_account ON remembered_cards (account_id, id);
