DROP INDEX payments_by_time;
