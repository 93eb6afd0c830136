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
