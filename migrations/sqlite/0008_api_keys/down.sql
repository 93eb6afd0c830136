DROP TABLE account_changes;
DROP TABLE avatars;
DROP TABLE api_keys;
