CREATE INDEX orders_by_time ON orders (created_at, id);
