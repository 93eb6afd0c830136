DELETE FROM security_log WHERE kind IN ('access_token_revoked', 'list_url_revoked', 'webhook_paused');
CREATE TABLE new_security_log (
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
INSERT INTO new_security_log SELECT id, user_id, kind, address, user_agent, detail, created_at FROM security_log;
DROP TABLE security_log;
ALTER TABLE new_security_log RENAME TO security_log;
CREATE INDEX security_log_by_user ON security_log (user_id, id);
CREATE INDEX security_log_by_age ON security_log (created_at);
