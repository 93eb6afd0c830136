DELETE FROM limits WHERE limit_name = 'view_changes';
ALTER TABLE limits DROP CONSTRAINT limits_most_check;
ALTER TABLE limits ADD CONSTRAINT limits_most_check CHECK (most > 0);
