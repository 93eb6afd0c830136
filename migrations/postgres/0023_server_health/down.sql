DROP TABLE proxy_server_watch;
DROP TABLE proxy_server_outages;
ALTER TABLE proxy_servers DROP COLUMN first_heartbeat_at;
ALTER TABLE proxy_servers DROP COLUMN heartbeat_at;
ALTER TABLE proxy_servers DROP COLUMN heartbeat;
