DROP INDEX users_by_inbox;
ALTER TABLE users DROP COLUMN inbox;
DROP INDEX endpoint_lists_by_key;
ALTER TABLE endpoint_lists DROP COLUMN api_key_id;
CREATE TABLE own_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  proxy_user_id BIGINT NOT NULL REFERENCES proxy_users (id),
  address TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP
);
-- The first account keeps a shared address.
INSERT INTO own_addresses (id, account_id, proxy_user_id, address, label, created_at, last_used_at)
  SELECT id, account_id, proxy_user_id, address, label, created_at, last_used_at FROM proxy_user_addresses
  WHERE id IN (SELECT min(id) FROM proxy_user_addresses GROUP BY address);
DROP TABLE proxy_user_addresses;
ALTER TABLE own_addresses RENAME TO proxy_user_addresses;
CREATE INDEX proxy_user_addresses_by_account ON proxy_user_addresses (account_id, id);
CREATE INDEX proxy_user_addresses_by_user ON proxy_user_addresses (proxy_user_id);
