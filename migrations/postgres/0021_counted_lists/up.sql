-- Only the total of an account's nodes is maintained. Other lists are counted when they are read.
DROP TRIGGER total_of_orders ON orders;
DROP TRIGGER total_of_ledger_transactions ON ledger_transactions;
DROP TRIGGER total_of_invoices ON invoices;
DROP TRIGGER total_of_node_switches ON node_switches;
DROP TRIGGER total_of_white_list ON white_list;
DROP TRIGGER total_of_accounts ON accounts;
DROP TRIGGER total_of_gateway_callbacks ON gateway_callbacks;
DROP FUNCTION count_order();
DROP FUNCTION count_listed_for_operators();
DROP FUNCTION count_listed();
DELETE FROM list_changes WHERE list <> 'nodes';
DELETE FROM list_totals WHERE list <> 'nodes';
