-- A report's sums are read once, some seconds after they were written: compressing them would only cost time.
ALTER TABLE usage_reports ALTER COLUMN sums SET STORAGE EXTERNAL;
