DROP INDEX accounts_of_operators;
DROP TABLE support_canned_answers;
DROP TABLE support_attachments;
DROP TABLE support_messages;
DROP TABLE support_conversations;
