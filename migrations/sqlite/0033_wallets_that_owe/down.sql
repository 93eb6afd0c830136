DROP INDEX wallets_that_owe;
