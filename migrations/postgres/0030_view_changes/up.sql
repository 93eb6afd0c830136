-- How many changes an operator may make in one view of the shop as a customer: none, until the seller allows it. No other limit was zero before.
ALTER TABLE limits DROP CONSTRAINT limits_most_check;
ALTER TABLE limits ADD CONSTRAINT limits_most_check CHECK (most >= 0);
INSERT INTO limits (limit_name, most) VALUES ('view_changes', 0);
