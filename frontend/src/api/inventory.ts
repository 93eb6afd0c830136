// Calls for operators about the inventory: nodes of the shop, their stock by city, imports and changes, and what customers choose them for.
import { type Change, change, file, inPieces, query } from './calls';
import { post, type Schemas, uploadWithProgress } from './client';
import { type Load, list, type Sort } from './lists';
import { AUDIT_LOG } from './operator';
import { ownTargetsQuery, targetsQuery } from './staticProxies';

export type InventoryNode = Schemas['InventoryNode'];
export type Shelf = Schemas['CityShelf'];
export type NodesImported = Schemas['NodesImported'];
export type UseCase = Schemas['UseCaseView'];

/** Name of the list of nodes. */
export const INVENTORY = 'inventory';
/** Name of the list of nodes that could replace another. */
export const REPLACEMENTS = 'replacements';
/** Name of the list of tiers and cities. */
export const SHELVES = 'shelves';
const USE_CASES = ['use-cases'];
const outdates = [[INVENTORY], [REPLACEMENTS], [SHELVES], USE_CASES];

export const loadInventory = list('Operator/GetInventory');
export const exportInventory = file('Operator/ExportInventory');

interface Upload {
  file: File;
  onProgress: (part: number) => void;
}

const uploading = (call: 'Operator/PreviewImport' | 'Operator/ImportNodes'): Change<Upload, NodesImported> => ({
  send: ({ file: chosen, onProgress }, { silent = false }) => uploadWithProgress(call, chosen, { silent, onProgress }),
});

/** What an import of this file would do. */
export const previewImport = uploading('Operator/PreviewImport');
export const importNodes: Change<Upload, NodesImported> = { ...uploading('Operator/ImportNodes'), outdates };

/** Of the listed nodes, or of all that match the list. */
export const editNodes = { ...inPieces(change('Operator/EditNodes')), outdates };
export const retireNodes = { ...inPieces(change('Operator/RetireNodes')), outdates };
export const restoreNodes = { ...inPieces(change('Operator/RestoreNodes')), outdates };
export const replaceNode = change('Operator/ReplaceNode', { outdates });

/** All use cases of the shop in their order, with the number of nodes of each. In calls, a use case is a target. */
export const useCasesQuery = query(USE_CASES, 'Operator/GetUseCaseList');
/** What customers see of them, on the operator's own screens too. */
const OFFERED = [targetsQuery.queryKey, ownTargetsQuery.queryKey];
/** Another operator may have deleted it: a refusal fetches the list again. */
export const saveUseCase = change('Operator/SaveUseCase', {
  answers: USE_CASES,
  outdates: (_, answer) => (answer ? [[AUDIT_LOG], ...OFFERED] : [USE_CASES]),
});
export const deleteUseCase = change('Operator/DeleteUseCase', {
  answers: USE_CASES,
  outdates: (_, answer) => (answer ? [[AUDIT_LOG], [INVENTORY], [REPLACEMENTS], ...OFFERED] : [USE_CASES]),
});

/** Columns of the stock that can be sorted by. A stock of which nothing was sold lasts longest. */
const SORT_VALUES: Record<string, (shelf: Shelf) => number> = {
  Nodes: (shelf) => shelf.Nodes,
  Available: (shelf) => shelf.Available,
  Sold: (shelf) => shelf.Sold,
  DaysLeft: (shelf) => shelf.DaysLeft ?? Number.POSITIVE_INFINITY,
};

const order = (sort: Sort[]) => (one: Shelf, other: Shelf) => {
  for (const { Field, Direction } of sort) {
    const [first, second] = [SORT_VALUES[Field]?.(one) ?? 0, SORT_VALUES[Field]?.(other) ?? 0];
    if (first !== second) return first < second === (Direction === 'asc') ? -1 : 1;
  }
  return 0;
};

const isNamed = ({ CityNameEn, CityNameZh, CountryNameEn, CountryNameZh }: Shelf, text: string) =>
  [CityNameEn, CityNameZh, CountryNameEn, CountryNameZh].some((name) => name.toLowerCase().includes(text));

/** The stock by tier and city, of one tier if given, whose city or country has this text in its name. The server answers with all at once, the shortest first. */
export const loadStock =
  ({ VerStr, Search }: { VerStr: string; Search: string }): Load<Shelf> =>
  async ({ Page, PageSize, Sort }, options) => {
    const all = await post('Operator/GetStock', undefined, options);
    const text = Search.toLowerCase();
    const matching = all.filter((shelf) => (!VerStr || shelf.VerStr === VerStr) && isNamed(shelf, text));
    const sorted = [...matching].sort(order(Sort));
    return { Rows: sorted.slice((Page - 1) * PageSize, Page * PageSize), Total: sorted.length };
  };
