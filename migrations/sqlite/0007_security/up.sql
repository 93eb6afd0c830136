-- Two-factor authentication of users.
CREATE TABLE two_factors (
  user_id BIGINT PRIMARY KEY REFERENCES users (id),
  secret_sealed TEXT NOT NULL,
  begun_at TIMESTAMP NOT NULL,
  -- NULL until a first code has confirmed the secret.
  turned_on_at TIMESTAMP,
  -- The newest 30-second step whose code was used: no code of it or of an earlier one is accepted again.
  last_step BIGINT NOT NULL DEFAULT 0,
  -- The salt of this user's recovery codes; a new one for each set of codes.
  recovery_salt TEXT NOT NULL DEFAULT ''
);

CREATE TABLE recovery_codes (
  user_id BIGINT NOT NULL REFERENCES users (id),
  code_hash TEXT NOT NULL,
  used_at TIMESTAMP,
  PRIMARY KEY (user_id, code_hash)
);

ALTER TABLE sessions ADD COLUMN last_used_at TIMESTAMP;
-- When a two-factor code was last entered in it.
ALTER TABLE sessions ADD COLUMN confirmed_at TIMESTAMP;
-- The latest sessions of a user.
DROP INDEX sessions_by_user;
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- The security log of users: rows are added, never changed.
CREATE TABLE security_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL CHECK (kind IN (
    'signed_in', 'sign_in_failed', 'code_refused', 'signed_out', 'password_changed', 'password_reset', 'two_factor_on',
    'two_factor_off', 'recovery_codes_replaced', 'recovery_code_used', 'session_revoked', 'email_change_requested',
    'email_changed', 'email_change_stopped', 'api_key_created', 'api_key_changed', 'api_key_revoked', 'api_key_refused', 'api_key_used',
    'access_token_rotated', 'webhook_secret_rotated', 'data_exported', 'account_closed'
  )),
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX security_log_by_user ON security_log (user_id, id);
CREATE INDEX security_log_by_age ON security_log (created_at);

-- Failed sign-ins, recorded in the same way whether or not the address has an account. A job looks it up, writes the log and deletes the row.
CREATE TABLE failed_sign_ins (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  email TEXT NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);

-- Changes of e-mail addresses: the new address confirms, the old one can stop or undo them.
CREATE TABLE email_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL,
  confirm_sha256 TEXT NOT NULL UNIQUE,
  stop_sha256 TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'confirmed', 'replaced', 'stopped')),
  created_at TIMESTAMP NOT NULL
);
CREATE UNIQUE INDEX email_changes_waiting ON email_changes (user_id) WHERE state = 'waiting';
CREATE INDEX email_changes_by_user ON email_changes (user_id, id);
CREATE INDEX email_changes_by_age ON email_changes (created_at);

-- A closed account is suspended permanently: rows needed for invoices and the ledger stay, without personal data.
ALTER TABLE accounts ADD COLUMN closed_at TIMESTAMP;
