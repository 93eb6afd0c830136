-- The support chat. Each account has at most one conversation with the shop; lock its row before changing it.
CREATE TABLE support_conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  account_id BIGINT NOT NULL UNIQUE REFERENCES accounts (id),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- Increases with every change, so that processes notice it.
  version BIGINT NOT NULL DEFAULT 0,
  message_count BIGINT NOT NULL DEFAULT 0,
  attachment_bytes BIGINT NOT NULL DEFAULT 0,
  -- The newest messages: of all, and of each side; 0 for none.
  last_id BIGINT NOT NULL DEFAULT 0,
  customer_last_id BIGINT NOT NULL DEFAULT 0,
  operator_last_id BIGINT NOT NULL DEFAULT 0,
  -- For each side: the last message read, the last one mailed about, and when the next mail is due.
  customer_read_id BIGINT NOT NULL DEFAULT 0,
  customer_told_id BIGINT NOT NULL DEFAULT 0,
  customer_mail_at TIMESTAMP,
  operator_read_id BIGINT NOT NULL DEFAULT 0,
  operator_told_id BIGINT NOT NULL DEFAULT 0,
  operator_mail_at TIMESTAMP,
  -- Since when the customer has been waiting for a reply.
  waiting_since TIMESTAMP,
  last_message_at TIMESTAMP NOT NULL,
  changed_at TIMESTAMP NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX support_conversations_changed ON support_conversations (changed_at);
CREATE INDEX support_conversations_by_time ON support_conversations (last_message_at, id);
CREATE INDEX support_conversations_by_state ON support_conversations (state, last_message_at, id);
CREATE INDEX support_conversations_waiting ON support_conversations (waiting_since, id) WHERE waiting_since IS NOT NULL;
CREATE INDEX support_conversations_to_tell_customers ON support_conversations (customer_mail_at) WHERE customer_mail_at IS NOT NULL;
CREATE INDEX support_conversations_to_tell_operators ON support_conversations (operator_mail_at) WHERE operator_mail_at IS NOT NULL;

CREATE TABLE support_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  conversation_id BIGINT NOT NULL REFERENCES support_conversations (id),
  kind TEXT NOT NULL CHECK (kind IN ('text', 'closed')),
  side TEXT NOT NULL CHECK (side IN ('customer', 'operator')),
  user_id BIGINT NOT NULL REFERENCES users (id),
  -- The operator's name as shown to the customer; empty for the shop's name, and for customers.
  author TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX support_messages_by_conversation ON support_messages (conversation_id, id);

-- Attachments: uploaded first, then sent with a message.
CREATE TABLE support_attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id BIGINT NOT NULL REFERENCES users (id),
  -- NULL until it is sent.
  message_id BIGINT REFERENCES support_messages (id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('png', 'jpeg', 'webp', 'pdf', 'text')),
  size_bytes BIGINT NOT NULL CHECK (size_bytes > 0),
  -- Of pictures only.
  width INTEGER,
  height INTEGER,
  created_at TIMESTAMP NOT NULL,
  -- The last column, so that lists do not read it.
  content BLOB NOT NULL,
  CHECK ((width IS NULL) = (height IS NULL))
);
CREATE INDEX support_attachments_by_message ON support_attachments (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX support_attachments_unsent ON support_attachments (user_id) WHERE message_id IS NULL;
CREATE INDEX support_attachments_unsent_by_age ON support_attachments (created_at) WHERE message_id IS NULL;

-- Canned answers of operators, with placeholders.
CREATE TABLE support_canned_answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  title TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  changed_at TIMESTAMP NOT NULL
);

-- Finds the operators, who get mails about messages.
CREATE INDEX accounts_of_operators ON accounts (id) WHERE level = 2;
