-- Several accounts can whitelist one address; connections from there then need a user name.
ALTER TABLE proxy_user_addresses DROP CONSTRAINT proxy_user_addresses_address_key;
ALTER TABLE proxy_user_addresses ADD CONSTRAINT proxy_user_addresses_once UNIQUE (account_id, address);
CREATE INDEX proxy_user_addresses_by_address ON proxy_user_addresses (address);

-- A list URL that was made by an API key ends with it.
ALTER TABLE endpoint_lists ADD COLUMN api_key_id BIGINT REFERENCES api_keys (id) ON DELETE CASCADE;
CREATE INDEX endpoint_lists_by_key ON endpoint_lists (api_key_id) WHERE api_key_id IS NOT NULL;

-- The inbox that an address delivers to, as core's EmailAddress::inbox names it: without `+tag`, and without dots at Gmail.
ALTER TABLE users ADD COLUMN inbox TEXT NOT NULL DEFAULT '';
UPDATE users SET inbox = email;
UPDATE users SET inbox = substr(email, 1, strpos(email, '+') - 1) || substr(email, strpos(email, '@'))
  WHERE strpos(email, '+') > 1 AND strpos(email, '+') < strpos(email, '@');
UPDATE users SET inbox = replace(substr(inbox, 1, strpos(inbox, '@') - 1), '.', '') || '@gmail.com'
  WHERE inbox LIKE '%@gmail.com' OR inbox LIKE '%@googlemail.com';
CREATE INDEX users_by_inbox ON users (inbox);
