DROP INDEX mails_unsent;
DROP INDEX webhooks_of_shop;
ALTER TABLE webhooks DROP COLUMN is_of_shop;
