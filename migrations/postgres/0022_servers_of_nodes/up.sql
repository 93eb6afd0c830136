-- The proxy server that alone carries a node; null if any server for static proxies may.
ALTER TABLE nodes ADD COLUMN server_id BIGINT REFERENCES proxy_servers (id);
CREATE INDEX nodes_by_server ON nodes (server_id, id) WHERE server_id IS NOT NULL;

-- Null for a node with HTTP alone.
ALTER TABLE nodes ALTER COLUMN socks5_port DROP NOT NULL;
