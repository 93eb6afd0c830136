DROP TABLE sandbox_returns;
DROP TABLE commission_losses;
DROP TABLE payment_returns;
ALTER TABLE orders DROP COLUMN lost_minor;
ALTER TABLE wallets DROP COLUMN is_to_end;
ALTER TABLE wallets DROP COLUMN owed_minor;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ', ''owed'')', ')') WHERE type = 'table' AND name = 'ledger_entries';
UPDATE sqlite_schema SET sql = replace(sql, ' ''payment.taken_back'', ''payment.given_back'',', '')
  WHERE type = 'table' AND name IN ('events', 'webhook_deliveries', 'notification_choices', 'mails');
PRAGMA writable_schema = RESET;
