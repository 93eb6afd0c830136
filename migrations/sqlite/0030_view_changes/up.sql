-- How many changes an operator may make in one view of the shop as a customer: none, until the seller allows it.
INSERT INTO limits (limit_name, most) VALUES ('view_changes', 0);
