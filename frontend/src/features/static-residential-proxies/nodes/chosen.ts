// The proxies that something is about to be done with.

import type { Schemas } from '@/api/client';
import { countOf, type Selection } from '@/ui/DataGrid';
import type { NodeFilterState } from './useNodeFilter';

type Node = Schemas['OwnedNode'];

export interface Chosen {
  count: number;
  /** How the server is told. */
  body: Schemas['NodeSelection'];
  /** The rows themselves, where they were picked one by one. */
  rows: Node[];
}

/** What every dialog that does something with proxies is given. */
export interface ActionProps {
  chosen: Chosen;
  /** Says whether anything was done. */
  onClose: (isDone: boolean) => void;
}

/** What is selected in the list: its rows, or everything that its filters match. */
export function chosenOf(selection: Selection<Node>, list: Pick<NodeFilterState, 'filter' | 'search'>): Chosen {
  const isAll = selection.all !== undefined;
  return {
    count: countOf(selection),
    body: isAll
      ? { All: true, Filter: list.filter, Search: list.search }
      : { NodeIds: selection.rows.map((node) => node.NodeId) },
    rows: selection.rows,
  };
}

export const chosenNode = (node: Node): Chosen => ({ count: 1, body: { NodeIds: [node.NodeId] }, rows: [node] });
