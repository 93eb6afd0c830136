-- On PostgreSQL the sums of reports are no longer compressed. SQLite does not compress.
SELECT 1;
