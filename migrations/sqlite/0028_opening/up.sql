-- Tiers have a switch. A shop that has users goes on selling what it sold; a new one sells nothing before its operator has chosen it.
ALTER TABLE tiers ADD COLUMN is_sold BOOLEAN NOT NULL DEFAULT TRUE;
UPDATE tiers SET is_sold = FALSE WHERE NOT EXISTS (SELECT 1 FROM users);
DELETE FROM traffic_steps WHERE NOT EXISTS (SELECT 1 FROM users);
DELETE FROM referral_rules WHERE NOT EXISTS (SELECT 1 FROM users);

-- What an operator's account may do; for other levels it means nothing.
ALTER TABLE accounts ADD COLUMN staff_role TEXT NOT NULL DEFAULT 'operator';
INSERT INTO limits (limit_name, most) VALUES ('support_refund', 50);
DROP INDEX accounts_of_operators;
CREATE INDEX accounts_of_operators ON accounts (staff_role) WHERE level = 2;

-- What the seller tells all customers. A text is empty in a language whose readers are not to see it.
CREATE TABLE announcements (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  tone TEXT NOT NULL,
  text_en TEXT NOT NULL,
  text_zh TEXT NOT NULL,
  link TEXT NOT NULL,
  valid_from TIMESTAMP NOT NULL,
  valid_until TIMESTAMP,
  user_id BIGINT NOT NULL REFERENCES users (id),
  changed_at TIMESTAMP NOT NULL
);

-- The versions of the seller's legal texts. They are added, never changed.
CREATE TABLE legal_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  body_en TEXT NOT NULL,
  body_zh TEXT NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  published_at TIMESTAMP NOT NULL,
  UNIQUE (kind, version)
);

CREATE TABLE legal_acceptances (
  legal_text_id BIGINT NOT NULL REFERENCES legal_texts (id),
  user_id BIGINT NOT NULL REFERENCES users (id),
  accepted_at TIMESTAMP NOT NULL,
  -- Where it was accepted from; empty once the account is closed.
  address TEXT NOT NULL,
  PRIMARY KEY (user_id, legal_text_id)
);
CREATE INDEX legal_acceptances_by_text ON legal_acceptances (legal_text_id);

-- The ids of the texts that a sign-up accepted, as JSON.
ALTER TABLE sign_ups ADD COLUMN accepted_texts TEXT NOT NULL DEFAULT '[]';
