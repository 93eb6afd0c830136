-- See up.sql.
SELECT 1;
