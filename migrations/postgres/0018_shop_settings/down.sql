DROP TABLE shop_settings;
