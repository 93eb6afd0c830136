ALTER TABLE sessions DROP COLUMN operator_id;
ALTER TABLE accounts DROP COLUMN note;
DROP TABLE wallet_adjustments;
CREATE TABLE account_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  user_id BIGINT REFERENCES users (id),
  change TEXT NOT NULL CHECK (change IN (
    'suspended', 'resumed', 'invitation_code_shown', 'invitation_code_hidden', 'access_token_shown', 'access_token_hidden'
  )),
  reason TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX account_changes_by_account ON account_changes (account_id, id);
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
-- Other entries have no place in these tables.
INSERT INTO account_changes (account_id, user_id, change, reason, created_at)
SELECT account_id, user_id, CASE action WHEN 'account_suspended' THEN 'suspended' ELSE 'resumed' END, reason, at
FROM audit_entries WHERE action IN ('account_suspended', 'account_resumed') ORDER BY id;
DROP TABLE audit_entries;
