-- What a proxy user may open and carry at once on each proxy server; null for no limit.
ALTER TABLE proxy_users ADD COLUMN max_connections INTEGER CHECK (max_connections > 0);
ALTER TABLE proxy_users ADD COLUMN max_megabits INTEGER CHECK (max_megabits > 0);
