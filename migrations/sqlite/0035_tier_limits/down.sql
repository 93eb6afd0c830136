ALTER TABLE tiers DROP COLUMN max_megabits;
ALTER TABLE tiers DROP COLUMN max_connections;
