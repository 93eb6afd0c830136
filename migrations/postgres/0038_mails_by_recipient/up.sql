CREATE INDEX CONCURRENTLY mails_by_recipient ON mails (recipient, id);
