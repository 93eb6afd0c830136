DROP INDEX node_switches_by_new_node;
DROP INDEX order_nodes_by_node;
