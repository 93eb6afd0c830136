-- How often a coupon may be used in all, and whether only for an account's first order.
ALTER TABLE coupons ADD COLUMN total_uses INTEGER CHECK (total_uses > 0);
ALTER TABLE coupons ADD COLUMN first_order_only BOOLEAN NOT NULL DEFAULT 0;
CREATE INDEX orders_with_coupons ON orders (coupon) WHERE coupon IS NOT NULL;

-- Changes of prices that count from a later time. A row is deleted when its change is made.
CREATE TABLE planned_prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  -- A `PriceForm`, as JSON.
  form TEXT NOT NULL,
  valid_from TIMESTAMP NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX planned_prices_by_time ON planned_prices (valid_from, id);

-- Operators replace faulty nodes. SQLite cannot change a column, so another one takes its place.
ALTER TABLE node_switches ADD COLUMN how TEXT NOT NULL DEFAULT 'specified'
  CHECK (how IN ('quota', 'unit_price', 'specified', 'replaced'));
UPDATE node_switches SET how = mode;
ALTER TABLE node_switches DROP COLUMN mode;
ALTER TABLE node_switches RENAME COLUMN how TO mode;

-- For the lists of the whole shop: what was sold lately, open payments, and the documents of a month.
CREATE INDEX nodes_by_assignment ON nodes (assigned_at) WHERE assigned_at IS NOT NULL;
CREATE INDEX payments_by_state ON payments (state, payment_method, id);
CREATE INDEX invoices_by_time ON invoices (issued_at, id);
