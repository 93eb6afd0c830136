-- Requests for a mailed link, recorded in the same way whether or not the address has an account. A job looks it up and deletes the row.
CREATE TABLE link_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sign_up', 'password_reset')),
  email TEXT NOT NULL,
  language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
  -- The sign-up form, as JSON.
  newcomer TEXT,
  created_at TIMESTAMP NOT NULL,
  CHECK ((kind = 'sign_up') = (newcomer IS NOT NULL))
);

-- Browsers and programs that have signed in before. Their attempts are counted separately from those of strangers.
CREATE TABLE known_devices (
  user_id BIGINT NOT NULL REFERENCES users (id),
  device_sha256 TEXT NOT NULL,
  first_seen_at TIMESTAMP NOT NULL,
  last_seen_at TIMESTAMP NOT NULL,
  PRIMARY KEY (user_id, device_sha256)
);
CREATE INDEX known_devices_by_age ON known_devices (last_seen_at);

-- The parameters of a mail whose link grants access, encrypted until it is sent.
ALTER TABLE mails ADD COLUMN parameters_sealed TEXT;
-- Mails that were given up keep no link either.
UPDATE mails SET parameters = '{}' WHERE state <> 'queued';

-- The only row marks a shop that was filled with demo data, and has accounts whose passwords are in a file.
CREATE TABLE demo_data (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  seeded_at TIMESTAMP NOT NULL
);
INSERT INTO demo_data SELECT 1, created_at FROM users WHERE email = 'operator@example.com';
