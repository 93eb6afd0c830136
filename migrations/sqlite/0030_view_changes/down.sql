CREATE TABLE old_limits (
  limit_name TEXT PRIMARY KEY NOT NULL,
  most INTEGER NOT NULL CHECK (most > 0)
);
INSERT INTO old_limits SELECT limit_name, most FROM limits WHERE limit_name <> 'view_changes';
DROP TABLE limits;
ALTER TABLE old_limits RENAME TO limits;
