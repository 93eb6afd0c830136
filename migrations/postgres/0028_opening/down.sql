ALTER TABLE sign_ups DROP COLUMN accepted_texts;
DROP TABLE legal_acceptances;
DROP TABLE legal_texts;
DROP TABLE announcements;
DELETE FROM limits WHERE limit_name = 'support_refund';
DROP INDEX accounts_of_operators;
CREATE INDEX accounts_of_operators ON accounts (id) WHERE level = 2;
ALTER TABLE accounts DROP COLUMN staff_role;
ALTER TABLE tiers DROP COLUMN is_sold;
