-- How many changes an operator may make in one view of the shop as a customer: none, until the seller allows it. No other limit was zero before.
CREATE TABLE new_limits (
  limit_name TEXT PRIMARY KEY NOT NULL,
  most INTEGER NOT NULL CHECK (most >= 0)
);
INSERT INTO new_limits SELECT limit_name, most FROM limits;
INSERT INTO new_limits (limit_name, most) VALUES ('view_changes', 0);
DROP TABLE limits;
ALTER TABLE new_limits RENAME TO limits;
