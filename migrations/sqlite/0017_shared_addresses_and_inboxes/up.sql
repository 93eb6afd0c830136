-- Several accounts can whitelist one address; connections from there then need a user name. SQLite changes a constraint only with the table.
CREATE TABLE shared_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  proxy_user_id BIGINT NOT NULL REFERENCES proxy_users (id),
  -- A network in canonical form.
  address TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP,
  UNIQUE (account_id, address)
);
INSERT INTO shared_addresses (id, account_id, proxy_user_id, address, label, created_at, last_used_at)
  SELECT id, account_id, proxy_user_id, address, label, created_at, last_used_at FROM proxy_user_addresses;
DROP TABLE proxy_user_addresses;
ALTER TABLE shared_addresses RENAME TO proxy_user_addresses;
CREATE INDEX proxy_user_addresses_by_account ON proxy_user_addresses (account_id, id);
CREATE INDEX proxy_user_addresses_by_user ON proxy_user_addresses (proxy_user_id);
CREATE INDEX proxy_user_addresses_by_address ON proxy_user_addresses (address);

-- A list URL that was made by an API key ends with it.
ALTER TABLE endpoint_lists ADD COLUMN api_key_id BIGINT REFERENCES api_keys (id) ON DELETE CASCADE;
CREATE INDEX endpoint_lists_by_key ON endpoint_lists (api_key_id) WHERE api_key_id IS NOT NULL;

-- The inbox that an address delivers to, as core's EmailAddress::inbox names it: without `+tag`, and without dots at Gmail.
ALTER TABLE users ADD COLUMN inbox TEXT NOT NULL DEFAULT '';
UPDATE users SET inbox = email;
UPDATE users SET inbox = substr(email, 1, instr(email, '+') - 1) || substr(email, instr(email, '@'))
  WHERE instr(email, '+') > 1 AND instr(email, '+') < instr(email, '@');
UPDATE users SET inbox = replace(substr(inbox, 1, instr(inbox, '@') - 1), '.', '') || '@gmail.com'
  WHERE inbox LIKE '%@gmail.com' OR inbox LIKE '%@googlemail.com';
CREATE INDEX users_by_inbox ON users (inbox);
