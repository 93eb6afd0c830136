ALTER TABLE proxy_users DROP COLUMN max_megabits;
ALTER TABLE proxy_users DROP COLUMN max_connections;
