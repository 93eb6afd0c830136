DROP TABLE sandbox_returns;
DROP TABLE commission_losses;
DROP TABLE payment_returns;
ALTER TABLE orders DROP COLUMN lost_minor;
ALTER TABLE wallets DROP COLUMN is_to_end;
ALTER TABLE wallets DROP COLUMN owed_minor;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_book_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_book_check CHECK (book IN ('wallet', 'gateway', 'revenue', 'commission', 'refund'));
