-- Sums of bytes stop at 4 * 10^18.
UPDATE usage_hours SET upload_bytes = least(upload_bytes, 4000000000000000000), download_bytes = least(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE usage_days SET upload_bytes = least(upload_bytes, 4000000000000000000), download_bytes = least(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE usage_months SET upload_bytes = least(upload_bytes, 4000000000000000000), download_bytes = least(download_bytes, 4000000000000000000) WHERE upload_bytes > 4000000000000000000 OR download_bytes > 4000000000000000000;
UPDATE proxy_users SET used_bytes = least(used_bytes, 4000000000000000000), total_bytes = least(total_bytes, 4000000000000000000) WHERE used_bytes > 4000000000000000000 OR total_bytes > 4000000000000000000;
UPDATE traffic_accounts SET overdraft_bytes = least(overdraft_bytes, 4000000000000000000) WHERE overdraft_bytes > 4000000000000000000;
