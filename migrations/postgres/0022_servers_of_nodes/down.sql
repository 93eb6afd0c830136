UPDATE nodes SET socks5_port = http_port WHERE socks5_port IS NULL;
ALTER TABLE nodes ALTER COLUMN socks5_port SET NOT NULL;

DROP INDEX nodes_by_server;
ALTER TABLE nodes DROP COLUMN server_id;
