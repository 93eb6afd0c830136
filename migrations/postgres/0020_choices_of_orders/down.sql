ALTER TABLE orders DROP COLUMN auto_renew;
ALTER TABLE orders DROP COLUMN group_id;
