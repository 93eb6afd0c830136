CREATE INDEX mails_by_recipient ON mails (recipient, id);
