-- Of the sign-ups with one address only the link of the newest works.
CREATE INDEX sign_ups_by_email ON sign_ups (email, id);
-- Hiding the access token ends it; until now it stayed valid.
UPDATE api_keys SET revoked_at = CURRENT_TIMESTAMP
WHERE sealed_key IS NOT NULL AND revoked_at IS NULL AND account_id IN (SELECT id FROM accounts WHERE NOT show_access_token);
