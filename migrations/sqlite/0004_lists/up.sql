-- Lists of large accounts: maintained totals, indexes for sorting, and substring search.

-- The totals of an account's lists, maintained by triggers in the transaction that changes a list; account 0 is for operators' lists, which show all
-- accounts.
CREATE TABLE list_totals (
  list TEXT NOT NULL,
  account_id BIGINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (list, account_id)
) WITHOUT ROWID;

CREATE TRIGGER total_of_new_orders AFTER INSERT ON orders BEGIN
  INSERT INTO list_totals VALUES ('orders', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
  INSERT INTO list_totals VALUES ('all_orders', 0, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_orders AFTER DELETE ON orders BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'orders' AND account_id = OLD.account_id;
  UPDATE list_totals SET total = total - 1 WHERE list = 'all_orders' AND account_id = 0;
END;

CREATE TRIGGER total_of_new_ledger_transactions AFTER INSERT ON ledger_transactions BEGIN
  INSERT INTO list_totals VALUES ('transactions', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_ledger_transactions AFTER DELETE ON ledger_transactions BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'transactions' AND account_id = OLD.account_id;
END;

CREATE TRIGGER total_of_new_invoices AFTER INSERT ON invoices BEGIN
  INSERT INTO list_totals VALUES ('invoices', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_invoices AFTER DELETE ON invoices BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'invoices' AND account_id = OLD.account_id;
END;

CREATE TRIGGER total_of_new_node_switches AFTER INSERT ON node_switches BEGIN
  INSERT INTO list_totals VALUES ('switches', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_node_switches AFTER DELETE ON node_switches BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'switches' AND account_id = OLD.account_id;
END;

CREATE TRIGGER total_of_new_white_list AFTER INSERT ON white_list BEGIN
  INSERT INTO list_totals VALUES ('white_list', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_white_list AFTER DELETE ON white_list BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'white_list' AND account_id = OLD.account_id;
END;

CREATE TRIGGER total_of_new_accounts AFTER INSERT ON accounts BEGIN
  INSERT INTO list_totals VALUES ('accounts', 0, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_accounts AFTER DELETE ON accounts BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'accounts' AND account_id = 0;
END;

CREATE TRIGGER total_of_new_gateway_callbacks AFTER INSERT ON gateway_callbacks BEGIN
  INSERT INTO list_totals VALUES ('callbacks', 0, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_gateway_callbacks AFTER DELETE ON gateway_callbacks BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'callbacks' AND account_id = 0;
END;

-- A node is in the list of its owner, if it has one.
CREATE TRIGGER total_of_new_nodes AFTER INSERT ON nodes WHEN NEW.account_id IS NOT NULL BEGIN
  INSERT INTO list_totals VALUES ('nodes', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_old_nodes AFTER DELETE ON nodes WHEN OLD.account_id IS NOT NULL BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'nodes' AND account_id = OLD.account_id;
END;
CREATE TRIGGER total_of_given_nodes AFTER UPDATE OF account_id ON nodes
WHEN NEW.account_id IS NOT NULL AND NEW.account_id IS NOT OLD.account_id BEGIN
  INSERT INTO list_totals VALUES ('nodes', NEW.account_id, 1) ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER total_of_taken_nodes AFTER UPDATE OF account_id ON nodes
WHEN OLD.account_id IS NOT NULL AND NEW.account_id IS NOT OLD.account_id BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'nodes' AND account_id = OLD.account_id;
END;

INSERT INTO list_totals SELECT 'orders', account_id, count(*) FROM orders GROUP BY account_id;
INSERT INTO list_totals SELECT 'all_orders', 0, count(*) FROM orders;
INSERT INTO list_totals SELECT 'transactions', account_id, count(*) FROM ledger_transactions GROUP BY account_id;
INSERT INTO list_totals SELECT 'invoices', account_id, count(*) FROM invoices GROUP BY account_id;
INSERT INTO list_totals SELECT 'switches', account_id, count(*) FROM node_switches GROUP BY account_id;
INSERT INTO list_totals SELECT 'white_list', account_id, count(*) FROM white_list GROUP BY account_id;
INSERT INTO list_totals SELECT 'accounts', 0, count(*) FROM accounts;
INSERT INTO list_totals SELECT 'callbacks', 0, count(*) FROM gateway_callbacks;
INSERT INTO list_totals SELECT 'nodes', account_id, count(*) FROM nodes WHERE account_id IS NOT NULL GROUP BY account_id;

-- Indexes for the sorts of lists, by account.
CREATE INDEX nodes_by_ip ON nodes (account_id, ip, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_city ON nodes (account_id, city, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_isp ON nodes (account_id, isp, id) WHERE account_id IS NOT NULL;
CREATE INDEX node_switches_in_order ON node_switches (account_id, id);

-- Trigram indexes of addresses and notes of owned nodes. The owner is encoded in three characters that users do not type, so that a search only reads
-- one owner's nodes. Two tables, because addresses never change and most notes are empty.
CREATE VIRTUAL TABLE node_addresses USING fts5 (owner, text, content = '', columnsize = 0, tokenize = 'trigram');
CREATE VIRTUAL TABLE node_notes USING fts5 (owner, text, content = '', columnsize = 0, tokenize = 'trigram');
-- The trigrams themselves, for searches of two letters; a note ends with a blank and a line break, so that its last two letters begin a trigram, too.
CREATE VIRTUAL TABLE node_note_parts USING fts5vocab (node_notes, 'row');
CREATE INDEX nodes_by_note ON nodes (account_id, lower(note)) WHERE note <> '' AND account_id IS NOT NULL;

CREATE TRIGGER parts_of_new_nodes AFTER INSERT ON nodes
WHEN NEW.account_id IS NOT NULL BEGIN
  INSERT INTO node_addresses (rowid, owner, text)
    SELECT NEW.id, char(57344 + NEW.account_id / 40960000 % 6400, 57344 + NEW.account_id / 6400 % 6400, 57344 + NEW.account_id % 6400), NEW.ip WHERE NEW.account_id IS NOT NULL;
  INSERT INTO node_notes (rowid, owner, text)
    SELECT NEW.id, char(57344 + NEW.account_id / 40960000 % 6400, 57344 + NEW.account_id / 6400 % 6400, 57344 + NEW.account_id % 6400), NEW.note || ' ' || char(10) WHERE NEW.account_id IS NOT NULL AND NEW.note <> '';
END;
CREATE TRIGGER parts_of_old_nodes AFTER DELETE ON nodes
WHEN OLD.account_id IS NOT NULL BEGIN
  INSERT INTO node_addresses (node_addresses, rowid, owner, text)
    SELECT 'delete', OLD.id, char(57344 + OLD.account_id / 40960000 % 6400, 57344 + OLD.account_id / 6400 % 6400, 57344 + OLD.account_id % 6400), OLD.ip WHERE OLD.account_id IS NOT NULL;
  INSERT INTO node_notes (node_notes, rowid, owner, text)
    SELECT 'delete', OLD.id, char(57344 + OLD.account_id / 40960000 % 6400, 57344 + OLD.account_id / 6400 % 6400, 57344 + OLD.account_id % 6400), OLD.note || ' ' || char(10) WHERE OLD.account_id IS NOT NULL AND OLD.note <> '';
END;
CREATE TRIGGER addresses_of_changed_nodes AFTER UPDATE OF account_id, ip ON nodes
WHEN NEW.account_id IS NOT OLD.account_id OR NEW.ip <> OLD.ip BEGIN
  INSERT INTO node_addresses (node_addresses, rowid, owner, text)
    SELECT 'delete', OLD.id, char(57344 + OLD.account_id / 40960000 % 6400, 57344 + OLD.account_id / 6400 % 6400, 57344 + OLD.account_id % 6400), OLD.ip WHERE OLD.account_id IS NOT NULL;
  INSERT INTO node_addresses (rowid, owner, text)
    SELECT NEW.id, char(57344 + NEW.account_id / 40960000 % 6400, 57344 + NEW.account_id / 6400 % 6400, 57344 + NEW.account_id % 6400), NEW.ip WHERE NEW.account_id IS NOT NULL;
END;
CREATE TRIGGER notes_of_changed_nodes AFTER UPDATE OF account_id, note ON nodes
WHEN NEW.account_id IS NOT OLD.account_id OR NEW.note <> OLD.note BEGIN
  INSERT INTO node_notes (node_notes, rowid, owner, text)
    SELECT 'delete', OLD.id, char(57344 + OLD.account_id / 40960000 % 6400, 57344 + OLD.account_id / 6400 % 6400, 57344 + OLD.account_id % 6400), OLD.note || ' ' || char(10) WHERE OLD.account_id IS NOT NULL AND OLD.note <> '';
  INSERT INTO node_notes (rowid, owner, text)
    SELECT NEW.id, char(57344 + NEW.account_id / 40960000 % 6400, 57344 + NEW.account_id / 6400 % 6400, 57344 + NEW.account_id % 6400), NEW.note || ' ' || char(10) WHERE NEW.account_id IS NOT NULL AND NEW.note <> '';
END;

INSERT INTO node_addresses (rowid, owner, text)
  SELECT id, char(57344 + account_id / 40960000 % 6400, 57344 + account_id / 6400 % 6400, 57344 + account_id % 6400), ip FROM nodes WHERE account_id IS NOT NULL;
INSERT INTO node_notes (rowid, owner, text)
  SELECT id, char(57344 + account_id / 40960000 % 6400, 57344 + account_id / 6400 % 6400, 57344 + account_id % 6400), note || ' ' || char(10) FROM nodes WHERE account_id IS NOT NULL AND note <> '';
