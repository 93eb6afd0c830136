-- What a proxy server last said about itself, as JSON, and when; null for software that sends no heartbeats.
ALTER TABLE proxy_servers ADD COLUMN heartbeat TEXT;
ALTER TABLE proxy_servers ADD COLUMN heartbeat_at TIMESTAMP;
ALTER TABLE proxy_servers ADD COLUMN first_heartbeat_at TIMESTAMP;

-- When proxy servers were down.
CREATE TABLE proxy_server_outages (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  server_id BIGINT NOT NULL REFERENCES proxy_servers (id),
  cause TEXT NOT NULL,
  began_at TIMESTAMP NOT NULL,
  -- Null while it lasts.
  ended_at TIMESTAMP
);
CREATE UNIQUE INDEX proxy_server_outages_open ON proxy_server_outages (server_id) WHERE ended_at IS NULL;
CREATE INDEX proxy_server_outages_by_server ON proxy_server_outages (server_id, ended_at);
CREATE INDEX proxy_server_outages_by_end ON proxy_server_outages (ended_at);

-- Since when the shop has been able to hear its proxy servers, and when it last was. One row.
CREATE TABLE proxy_server_watch (
  id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
  since TIMESTAMP NOT NULL,
  watched_at TIMESTAMP NOT NULL
);
