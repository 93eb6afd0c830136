-- What the customer chose for the nodes of a purchase: their group, and whether they renew automatically; null for what the plan says.
ALTER TABLE orders ADD COLUMN group_id BIGINT;
ALTER TABLE orders ADD COLUMN auto_renew BOOLEAN;
