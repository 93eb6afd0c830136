-- A webhook of the shop receives the events of all accounts, for as long as its owner is an operator.
ALTER TABLE webhooks ADD COLUMN is_of_shop BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX webhooks_of_shop ON webhooks (account_id) WHERE is_of_shop;

-- Mails that wait or were given up, which are few: the shop's examination looks at them.
CREATE INDEX mails_unsent ON mails (created_at) WHERE state IN ('queued', 'failed');
