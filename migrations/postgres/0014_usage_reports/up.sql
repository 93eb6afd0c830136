-- A report's sums are read once, some seconds after they were written: compressing them in between only takes time.
ALTER TABLE usage_reports ALTER COLUMN sums SET STORAGE EXTERNAL;
