// The nodes that a change is for: rows of the list, or all that match it.
import type { Schemas } from '@/api/client';
import type { InventoryNode } from '@/api/inventory';
import type { Selection } from '@/ui/DataGrid';
import type { InventoryFilter } from './inventory';

export interface Chosen {
  /** What calls are told. */
  body: Schemas['NodeChoice'];
  /** The rows, if they were chosen one by one. */
  nodes: InventoryNode[];
  /** Otherwise how many match: this number, or more than it. */
  all?: { count: number; isAtLeast: boolean };
}

export const chosenOf = (nodes: InventoryNode[]): Chosen => ({
  body: { NodeIds: nodes.map(({ NodeId }) => NodeId) },
  nodes,
});

/** The list's selection. */
export function chosenFrom(
  { rows, all, isAtLeast = false }: Selection<InventoryNode>,
  asked: InventoryFilter['asked'],
): Chosen {
  if (all === undefined) return chosenOf(rows);
  return { body: { All: true, ...asked }, nodes: [], all: { count: all, isAtLeast } };
}
