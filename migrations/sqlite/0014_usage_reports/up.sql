-- On PostgreSQL this turns off compression of the sums of reports. SQLite does not compress.
SELECT 1;
