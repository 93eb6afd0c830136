// The proxies that a bulk action applies to.
import type { Schemas } from '@/api/client';
import { countOf, type Selection } from '@/ui/DataGrid';
import type { NodeFilterState } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

export interface BulkSelection {
  count: number;
  /** Selection in the request. */
  body: Schemas['NodeSelection'];
  /** The rows, if they were selected one by one. */
  rows: Node[];
}

/** Props of every bulk action dialog. */
export interface ActionProps {
  selection: BulkSelection;
  /** `isDone`: whether anything was changed. */
  onClose: (isDone: boolean) => void;
}

/** The list's selection: its rows, or everything that matches the filters. */
export function bulkSelectionOf(
  selection: Selection<Node>,
  list: Pick<NodeFilterState, 'filter' | 'search'>,
): BulkSelection {
  const isAll = selection.all !== undefined;
  return {
    count: countOf(selection),
    body: isAll
      ? { All: true, Filter: list.filter, Search: list.search }
      : { NodeIds: selection.rows.map((node) => node.NodeId) },
    rows: selection.rows,
  };
}

export const selectionOfNode = (node: Node): BulkSelection => ({
  count: 1,
  body: { NodeIds: [node.NodeId] },
  rows: [node],
});
