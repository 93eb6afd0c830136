DROP TABLE exchange_rates;
DROP TABLE payment_cases;
DROP TABLE payment_arrivals;
ALTER TABLE payments DROP COLUMN rate_micro;
ALTER TABLE payments DROP COLUMN charged_currency;
ALTER TABLE payments DROP COLUMN charged_minor;
ALTER TABLE payments DROP CONSTRAINT payments_payment_method_check;
ALTER TABLE payments ADD CONSTRAINT payments_payment_method_check CHECK (payment_method IN ('wallet', 'sandbox', 'stripe', 'transfer'));
