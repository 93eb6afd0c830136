CREATE INDEX wallets_that_owe ON wallets (account_id) WHERE owed_minor > 0;
