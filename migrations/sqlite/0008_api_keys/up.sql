-- API keys. Only the hash of each is stored; an account's access token is a key that is also stored encrypted, so that it can be shown again.
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  -- The user it acts for.
  user_id BIGINT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  key_sha256 TEXT NOT NULL UNIQUE,
  -- The first characters, by which its owner recognises it.
  prefix TEXT NOT NULL,
  -- Of the access token only.
  sealed_key TEXT,
  scopes TEXT NOT NULL,
  addresses TEXT NOT NULL DEFAULT '[]',
  expires_at TIMESTAMP,
  revoked_at TIMESTAMP,
  last_used_at TIMESTAMP,
  last_used_address TEXT,
  -- Calls reserved by servers in this window of its rate limit.
  limited_window BIGINT NOT NULL DEFAULT 0,
  limited_calls INTEGER NOT NULL DEFAULT 0 CHECK (limited_calls >= 0),
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, id) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX api_keys_access_token ON api_keys (account_id) WHERE sealed_key IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- Account pictures, re-encoded by the server.
CREATE TABLE avatars (
  account_id BIGINT PRIMARY KEY NOT NULL REFERENCES accounts (id),
  png BLOB NOT NULL,
  changed_at TIMESTAMP NOT NULL
);

-- Changes to an account by operators, other than its terms: rows are added, never changed. Without a user it was a command on the server.
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
