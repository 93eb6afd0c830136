-- Lists of large accounts: maintained totals, indexes for sorting, and substring search.

-- The totals of an account's lists; account 0 is for operators' lists, which show all accounts. Triggers insert the changes, in the transaction that
-- changes a list, so that transactions do not block each other; a job compacts them.
CREATE TABLE list_totals (
  list TEXT NOT NULL,
  account_id BIGINT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (list, account_id)
);
CREATE TABLE list_changes (
  list TEXT NOT NULL,
  account_id BIGINT NOT NULL,
  change BIGINT NOT NULL
);
CREATE INDEX list_changes_by_account ON list_changes (account_id, list);

CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes VALUES (TG_ARGV[0], NEW.account_id, 1);
  ELSE
    INSERT INTO list_changes VALUES (TG_ARGV[0], OLD.account_id, -1);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_listed_for_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO list_changes VALUES (TG_ARGV[0], 0, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;

CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO list_changes VALUES ('orders', NEW.account_id, 1), ('all_orders', 0, 1);
  ELSE
    INSERT INTO list_changes VALUES ('orders', OLD.account_id, -1), ('all_orders', 0, -1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER total_of_orders AFTER INSERT OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER total_of_ledger_transactions AFTER INSERT OR DELETE ON ledger_transactions FOR EACH ROW EXECUTE FUNCTION count_listed('transactions');
CREATE TRIGGER total_of_invoices AFTER INSERT OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION count_listed('invoices');
CREATE TRIGGER total_of_node_switches AFTER INSERT OR DELETE ON node_switches FOR EACH ROW EXECUTE FUNCTION count_listed('switches');
CREATE TRIGGER total_of_white_list AFTER INSERT OR DELETE ON white_list FOR EACH ROW EXECUTE FUNCTION count_listed('white_list');
CREATE TRIGGER total_of_accounts AFTER INSERT OR DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION count_listed_for_operators('accounts');
CREATE TRIGGER total_of_gateway_callbacks AFTER INSERT OR DELETE ON gateway_callbacks FOR EACH ROW EXECUTE FUNCTION count_listed_for_operators('callbacks');

INSERT INTO list_totals SELECT 'orders', account_id, count(*) FROM orders GROUP BY account_id;
INSERT INTO list_totals SELECT 'all_orders', 0, count(*) FROM orders;
INSERT INTO list_totals SELECT 'transactions', account_id, count(*) FROM ledger_transactions GROUP BY account_id;
INSERT INTO list_totals SELECT 'invoices', account_id, count(*) FROM invoices GROUP BY account_id;
INSERT INTO list_totals SELECT 'switches', account_id, count(*) FROM node_switches GROUP BY account_id;
INSERT INTO list_totals SELECT 'white_list', account_id, count(*) FROM white_list GROUP BY account_id;
INSERT INTO list_totals SELECT 'accounts', 0, count(*) FROM accounts;
INSERT INTO list_totals SELECT 'callbacks', 0, count(*) FROM gateway_callbacks;
INSERT INTO list_totals SELECT 'nodes', account_id, count(*) FROM nodes WHERE account_id IS NOT NULL GROUP BY account_id;

-- Addresses sorted by bytes, as on SQLite, so that common prefixes are adjacent.
ALTER TABLE nodes ALTER COLUMN ip TYPE TEXT COLLATE "C";

-- Indexes for the sorts of lists, by account.
CREATE INDEX nodes_by_ip ON nodes (account_id, ip, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_city ON nodes (account_id, city, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_isp ON nodes (account_id, isp, id) WHERE account_id IS NOT NULL;
CREATE INDEX nodes_by_note ON nodes (account_id, (lower(note) COLLATE "C")) WHERE note <> '' AND account_id IS NOT NULL;
CREATE INDEX node_switches_in_order ON node_switches (account_id, id);

-- The search parts of a text: every trigram, and every pair of Chinese characters. The account is part of each, so that a search does not read other
-- accounts' texts.
CREATE FUNCTION search_parts(account BIGINT, words TEXT) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  owner TEXT := account || ' ';
  parts TEXT[] := '{}';
  is_chinese BOOLEAN;
  was_chinese BOOLEAN := FALSE;
BEGIN
  FOR place IN 1 .. length(words) - 2 LOOP
    parts := array_append(parts, owner || substr(words, place, 3));
  END LOOP;
  -- ASCII texts have no Chinese characters.
  IF octet_length(words) > length(words) THEN
    FOR place IN 1 .. length(words) LOOP
      is_chinese := ascii(substr(words, place, 1)) BETWEEN 11904 AND 40959
        OR ascii(substr(words, place, 1)) BETWEEN 63744 AND 64255
        OR ascii(substr(words, place, 1)) BETWEEN 131072 AND 262143;
      IF is_chinese AND was_chinese THEN
        parts := array_append(parts, owner || substr(words, place - 1, 2));
      END IF;
      was_chinese := is_chinese;
    END LOOP;
  END IF;
  RETURN parts;
END $$;

-- The searchable texts of owned nodes, in a table of their own: nodes change often, these rarely do. The index's pending list is kept short, because
-- every search reads it.
CREATE TABLE node_search (
  node_id BIGINT PRIMARY KEY,
  text TEXT NOT NULL,
  parts TEXT[] NOT NULL
);
CREATE INDEX node_search_by_part ON node_search USING gin (parts) WITH (gin_pending_list_limit = 256);

CREATE FUNCTION searched_text(ip TEXT, note TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(CASE note WHEN '' THEN ip ELSE ip || E'\n' || note END)
$$;

CREATE FUNCTION list_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words TEXT;
BEGIN
  IF OLD.account_id IS NOT NULL THEN
    INSERT INTO list_changes VALUES ('nodes', OLD.account_id, -1);
    DELETE FROM node_search WHERE node_id = OLD.id;
  END IF;
  IF NEW.account_id IS NOT NULL THEN
    words := searched_text(NEW.ip, NEW.note);
    INSERT INTO list_changes VALUES ('nodes', NEW.account_id, 1);
    INSERT INTO node_search VALUES (NEW.id, words, search_parts(NEW.account_id, words));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER list_of_new_nodes AFTER INSERT ON nodes FOR EACH ROW WHEN (NEW.account_id IS NOT NULL)
EXECUTE FUNCTION list_node();
CREATE TRIGGER list_of_old_nodes AFTER DELETE ON nodes FOR EACH ROW WHEN (OLD.account_id IS NOT NULL)
EXECUTE FUNCTION list_node();
CREATE TRIGGER list_of_moved_nodes AFTER UPDATE OF account_id ON nodes FOR EACH ROW
WHEN (OLD.account_id IS DISTINCT FROM NEW.account_id) EXECUTE FUNCTION list_node();

CREATE FUNCTION search_changed_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words TEXT := searched_text(NEW.ip, NEW.note);
BEGIN
  UPDATE node_search SET text = words, parts = search_parts(NEW.account_id, words) WHERE node_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_of_changed_nodes AFTER UPDATE OF ip, note ON nodes FOR EACH ROW
WHEN (OLD.account_id = NEW.account_id AND (OLD.ip <> NEW.ip OR OLD.note <> NEW.note)) EXECUTE FUNCTION search_changed_node();

INSERT INTO node_search
  SELECT id, searched_text(ip, note), search_parts(account_id, searched_text(ip, note)) FROM nodes WHERE account_id IS NOT NULL;
