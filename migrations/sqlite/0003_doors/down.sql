DROP TABLE demo_data;
ALTER TABLE mails DROP COLUMN parameters_sealed;
DROP TABLE known_devices;
DROP TABLE link_requests;
