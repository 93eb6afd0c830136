-- The sums by month, in UTC, like those by day: read by charts of a year.
CREATE TABLE usage_months (
  account_id BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('residential', 'static')),
  dimension TEXT NOT NULL CHECK (dimension IN ('all', 'user', 'node', 'country', 'target')),
  starts_at TIMESTAMP NOT NULL,
  name TEXT NOT NULL,
  upload_bytes BIGINT NOT NULL,
  download_bytes BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (account_id, kind, dimension, starts_at, name)
) WITHOUT ROWID;
INSERT INTO usage_months
SELECT account_id, kind, dimension, strftime('%Y-%m-01 00:00:00', starts_at), name,
  CAST(sum(upload_bytes) AS BIGINT), CAST(sum(download_bytes) AS BIGINT), CAST(sum(requests) AS BIGINT)
FROM usage_days GROUP BY 1, 2, 3, 4, 5;

-- The usage of one proxy user over a year.
CREATE INDEX usage_days_of_users ON usage_days (account_id, name, starts_at) WHERE dimension = 'user';
