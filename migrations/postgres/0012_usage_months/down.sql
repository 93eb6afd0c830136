DROP INDEX usage_days_of_users;
DROP TABLE usage_months;
