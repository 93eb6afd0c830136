-- Only the total of an account's nodes is maintained. Other lists are counted when they are read.
DROP TRIGGER total_of_new_orders;
DROP TRIGGER total_of_old_orders;
DROP TRIGGER total_of_new_ledger_transactions;
DROP TRIGGER total_of_old_ledger_transactions;
DROP TRIGGER total_of_new_invoices;
DROP TRIGGER total_of_old_invoices;
DROP TRIGGER total_of_new_node_switches;
DROP TRIGGER total_of_old_node_switches;
DROP TRIGGER total_of_new_white_list;
DROP TRIGGER total_of_old_white_list;
DROP TRIGGER total_of_new_accounts;
DROP TRIGGER total_of_old_accounts;
DROP TRIGGER total_of_new_gateway_callbacks;
DROP TRIGGER total_of_old_gateway_callbacks;
DELETE FROM list_totals WHERE list <> 'nodes';
