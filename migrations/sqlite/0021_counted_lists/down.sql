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
INSERT INTO list_totals SELECT 'orders', account_id, count(*) FROM orders GROUP BY account_id;
INSERT INTO list_totals SELECT 'all_orders', 0, count(*) FROM orders;
INSERT INTO list_totals SELECT 'transactions', account_id, count(*) FROM ledger_transactions GROUP BY account_id;
INSERT INTO list_totals SELECT 'invoices', account_id, count(*) FROM invoices GROUP BY account_id;
INSERT INTO list_totals SELECT 'switches', account_id, count(*) FROM node_switches GROUP BY account_id;
INSERT INTO list_totals SELECT 'white_list', account_id, count(*) FROM white_list GROUP BY account_id;
INSERT INTO list_totals SELECT 'accounts', 0, count(*) FROM accounts;
INSERT INTO list_totals SELECT 'callbacks', 0, count(*) FROM gateway_callbacks;
