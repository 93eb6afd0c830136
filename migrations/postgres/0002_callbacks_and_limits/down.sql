DROP INDEX card_requests_by_account;
DROP INDEX orders_open;
DROP TABLE hold_steps;
DROP TABLE limits;
DROP TABLE write_probes;
DROP TABLE forged_callbacks;
DROP INDEX gateway_callbacks_without_body;
UPDATE gateway_callbacks SET body = convert_to(beginning, 'UTF8') WHERE body IS NULL;
ALTER TABLE gateway_callbacks
  ALTER COLUMN body TYPE TEXT USING convert_from(body, 'UTF8'),
  ALTER COLUMN body SET NOT NULL,
  DROP COLUMN size_bytes,
  DROP COLUMN body_sha256,
  DROP COLUMN beginning,
  DROP COLUMN sender;
