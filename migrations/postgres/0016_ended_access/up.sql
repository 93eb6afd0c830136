-- What is ended when an owner recovers an account has entries of its own in the security log.
ALTER TABLE security_log DROP CONSTRAINT security_log_kind_check;
ALTER TABLE security_log ADD CONSTRAINT security_log_kind_check CHECK (kind IN (
    'signed_in', 'sign_in_failed', 'code_refused', 'signed_out', 'password_changed', 'password_reset', 'two_factor_on',
    'two_factor_off', 'recovery_codes_replaced', 'recovery_code_used', 'session_revoked', 'email_change_requested',
    'email_changed', 'email_change_stopped', 'api_key_created', 'api_key_changed', 'api_key_revoked', 'api_key_refused', 'api_key_used',
    'access_token_rotated', 'access_token_revoked', 'webhook_secret_rotated', 'list_url_revoked', 'webhook_paused', 'data_exported', 'account_closed'
));
