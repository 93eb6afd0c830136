DROP TABLE source_refunds;
