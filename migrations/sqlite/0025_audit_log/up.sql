-- What operators did: rows are added, never changed. The account is the customer's that it is about.
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  at TIMESTAMP NOT NULL,
  action TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('screen', 'api_key', 'command')),
  -- Null for a command on the server.
  user_id BIGINT REFERENCES users (id),
  -- The API key's name, or who ran the command.
  actor TEXT NOT NULL,
  address TEXT NOT NULL,
  account_id BIGINT REFERENCES accounts (id),
  -- What it is about: an order's number, a coupon's code, a server's name.
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- A JSON array of `AuditChange`.
  changes TEXT NOT NULL
);
CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id);
CREATE INDEX audit_entries_by_user ON audit_entries (user_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries (action, id);
CREATE INDEX audit_entries_by_subject ON audit_entries (subject, id);
CREATE INDEX audit_entries_by_time ON audit_entries (at, id);

-- The changes recorded so far become entries.
INSERT INTO audit_entries (at, action, channel, user_id, actor, address, account_id, subject, reason, changes)
SELECT created_at, action, CASE WHEN user_id IS NULL THEN 'command' ELSE 'screen' END, user_id, '', '', account_id, '', reason, changes
FROM (
  SELECT id, created_at, user_id, account_id, reason,
    CASE change WHEN 'suspended' THEN 'account_suspended' WHEN 'resumed' THEN 'account_resumed' ELSE 'account_center' END AS action,
    CASE change
      WHEN 'invitation_code_shown' THEN '[{"Field":"invitation_code","Before":"false","After":"true"}]'
      WHEN 'invitation_code_hidden' THEN '[{"Field":"invitation_code","Before":"true","After":"false"}]'
      WHEN 'access_token_shown' THEN '[{"Field":"access_token","Before":"false","After":"true"}]'
      WHEN 'access_token_hidden' THEN '[{"Field":"access_token","Before":"true","After":"false"}]'
      ELSE '[]'
    END AS changes
  FROM account_changes
  UNION ALL
  SELECT id, created_at, user_id, account_id, '' AS reason, 'account_terms' AS action,
    '[' || CASE WHEN from_level <> to_level
      THEN '{"Field":"level","Before":"' || from_level || '","After":"' || to_level || '"}' ELSE '' END
    || CASE WHEN from_level <> to_level AND from_basis_points <> to_basis_points THEN ',' ELSE '' END
    || CASE WHEN from_basis_points <> to_basis_points
      THEN '{"Field":"discount","Before":"' || from_basis_points || '","After":"' || to_basis_points || '"}' ELSE '' END
    || ']' AS changes
  FROM account_terms_changes
) AS recorded
ORDER BY created_at, id;
DROP TABLE account_changes;
DROP TABLE account_terms_changes;

CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_entries_are_kept BEFORE DELETE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- How and why operators changed wallets; the customer sees the reason.
CREATE TABLE wallet_adjustments (
  -- The id of its transaction.
  id BIGINT PRIMARY KEY NOT NULL REFERENCES ledger_transactions (id),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  adjustment TEXT NOT NULL CHECK (adjustment IN ('received', 'goodwill', 'returned', 'correction')),
  reason TEXT NOT NULL
);
CREATE INDEX wallet_adjustments_by_account ON wallet_adjustments (account_id, id);
-- The operators' note about the customer.
ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';
-- The operator who looks at the shop as this user, in a session that only reads.
ALTER TABLE sessions ADD COLUMN operator_id BIGINT;
