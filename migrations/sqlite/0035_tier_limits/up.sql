ALTER TABLE tiers ADD COLUMN max_connections INTEGER;
ALTER TABLE tiers ADD COLUMN max_megabits INTEGER;
