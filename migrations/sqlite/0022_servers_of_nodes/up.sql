-- The proxy server that alone carries a node; null if any server for static proxies may.
ALTER TABLE nodes ADD COLUMN server_id BIGINT REFERENCES proxy_servers (id);
CREATE INDEX nodes_by_server ON nodes (server_id, id) WHERE server_id IS NOT NULL;

-- Null for a node with HTTP alone. SQLite cannot change a column, so another one takes its place.
ALTER TABLE nodes ADD COLUMN socks5 INTEGER CHECK (socks5 BETWEEN 1 AND 65535);
UPDATE nodes SET socks5 = socks5_port;
ALTER TABLE nodes DROP COLUMN socks5_port;
ALTER TABLE nodes RENAME COLUMN socks5 TO socks5_port;
