DROP INDEX users_by_inbox;
ALTER TABLE users DROP COLUMN inbox;
DROP INDEX endpoint_lists_by_key;
ALTER TABLE endpoint_lists DROP COLUMN api_key_id;
DROP INDEX proxy_user_addresses_by_address;
ALTER TABLE proxy_user_addresses DROP CONSTRAINT proxy_user_addresses_once;
-- The first account keeps a shared address.
DELETE FROM proxy_user_addresses WHERE id NOT IN (SELECT min(id) FROM proxy_user_addresses GROUP BY address);
ALTER TABLE proxy_user_addresses ADD CONSTRAINT proxy_user_addresses_address_key UNIQUE (address);
