CREATE INDEX CONCURRENTLY payments_by_time ON payments (created_at, id);
