-- The history of one proxy: the orders that paid for it, and the switch that led to its address.
CREATE INDEX order_nodes_by_node ON order_nodes (node_id, order_id);
CREATE INDEX node_switches_by_new_node ON node_switches (new_node_id, id);
