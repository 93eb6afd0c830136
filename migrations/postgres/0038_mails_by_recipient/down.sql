DROP INDEX mails_by_recipient;
