-- The settings that all servers of a shop share: the values of the server that first had them, changed on purpose by a command.
CREATE TABLE shop_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
-- The seller of a shop from before is kept: a server without these settings must not replace it.
INSERT INTO shop_settings (name, value) SELECT 'POSTERN_SELLER_NAME', name FROM sellers WHERE name NOT IN ('', 'Postern');
INSERT INTO shop_settings (name, value) SELECT 'POSTERN_SELLER_TAX_NUMBER', tax_number FROM sellers WHERE tax_number <> '';
INSERT INTO shop_settings (name, value) SELECT 'POSTERN_SUPPORT_EMAIL', email FROM sellers WHERE email NOT IN ('', 'support@example.com');
INSERT INTO shop_settings (name, value)
  SELECT 'POSTERN_SELLER_ADDRESS', (SELECT group_concat(value, '|') FROM json_each(address)) FROM sellers WHERE address <> '[]';
