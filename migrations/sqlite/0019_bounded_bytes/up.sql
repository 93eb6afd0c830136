-- Sums of bytes stop at 4 * 10^18. SQLite had turned sums beyond 63 bits into floats.
UPDATE usage_hours SET upload_bytes = min(upload_bytes, 4000000000000000000), download_bytes = min(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE usage_days SET upload_bytes = min(upload_bytes, 4000000000000000000), download_bytes = min(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE usage_months SET upload_bytes = min(upload_bytes, 4000000000000000000), download_bytes = min(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE proxy_users SET used_bytes = min(used_bytes, 4000000000000000000), total_bytes = min(total_bytes, 4000000000000000000) WHERE used_bytes > 4000000000000000000 OR total_bytes > 4000000000000000000;
UPDATE traffic_accounts SET overdraft_bytes = min(overdraft_bytes, 4000000000000000000) WHERE overdraft_bytes > 4000000000000000000;
