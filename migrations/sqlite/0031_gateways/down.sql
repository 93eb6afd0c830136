DROP TABLE exchange_rates;
DROP TABLE payment_cases;
DROP TABLE payment_arrivals;
ALTER TABLE payments DROP COLUMN rate_micro;
ALTER TABLE payments DROP COLUMN charged_currency;
ALTER TABLE payments DROP COLUMN charged_minor;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ', ''btcpay'', ''epay'')', ')') WHERE type = 'table' AND name = 'payments';
PRAGMA writable_schema = RESET;
