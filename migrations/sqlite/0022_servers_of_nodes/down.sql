ALTER TABLE nodes ADD COLUMN socks5 INTEGER NOT NULL DEFAULT 1080 CHECK (socks5 BETWEEN 1 AND 65535);
UPDATE nodes SET socks5 = coalesce(socks5_port, http_port);
ALTER TABLE nodes DROP COLUMN socks5_port;
ALTER TABLE nodes RENAME COLUMN socks5 TO socks5_port;

DROP INDEX nodes_by_server;
ALTER TABLE nodes DROP COLUMN server_id;
