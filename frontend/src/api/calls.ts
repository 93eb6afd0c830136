// How the files of this folder describe calls: queries, which screens show, and changes, which they send with `useCall`.
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { type BodyOf, type Call, type CallOptions, type DataOfCall, download, post } from './client';

/** What a screen shows, with the key under which it is cached. The screen shows a failure in its place, without a toast. */
export const query = <C extends Call>(queryKey: QueryKey, call: C, body?: BodyOf<C>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => post(call, body, { signal, silent: true }) });

/** What a call changes among the queries. */
interface Effects<Body, Answer> {
  /** Keys of the queries that are fetched again: after an answer, after a refusal, which may have come from old data, and after a lost answer. */
  outdates?: readonly QueryKey[] | ((body: Body, answer: Answer | undefined) => readonly QueryKey[]);
  /** The key of the query whose new data is the answer. */
  answers?: QueryKey | ((body: Body) => QueryKey);
}

export interface Change<Body, Answer> extends Effects<Body, Answer> {
  send: (body: Body, options: CallOptions) => Promise<Answer>;
}

export const change = <C extends Call>(
  call: C,
  effects: Effects<BodyOf<C>, DataOfCall<C>> = {},
): Change<BodyOf<C>, DataOfCall<C>> => ({ send: (body, options) => post(call, body, options), ...effects });

/** Fetches a file, which the server names. */
export const file = <C extends Call>(call: C): Change<BodyOf<C>, File> => ({
  send: (body, { silent = false }) => download(call, body, { silent }),
});

/** What a call answers that changes the next of many rows. */
interface Piece {
  Changed: number;
  Failed: readonly unknown[];
  /** The row after which the next call begins, if there are more. */
  Next?: number | null;
}

/** How far a change of many rows has come. */
export interface Reached {
  changed: number;
  /** The number of rows that stayed as they were. */
  left: number;
  /** The row after which the next piece begins: 0 before the first piece, null after the last. */
  after: number | null;
}

/** A change of many rows, from where an earlier attempt has come to. */
export interface InPieces<Body> {
  body: Body;
  from: Reached;
  onPiece: (reached: Reached) => void;
  /** Aborted, it stops after the piece under way. */
  stopping: AbortController;
}

/** Makes a call for the next rows after `After` until there are no more. */
export const inPieces = <Body extends object>({
  send,
}: Pick<Change<Body, Piece>, 'send'>): Change<InPieces<Body>, Reached> => ({
  // Each piece is a request of its own, without the key of the whole.
  send: async ({ body, from, onPiece, stopping }, { silent = false }) => {
    let reached = from;
    do {
      const { after } = reached;
      const { Changed, Failed, Next = null } = await send(after ? { ...body, After: after } : body, { silent });
      reached = { changed: reached.changed + Changed, left: reached.left + Failed.length, after: Next };
      onPiece(reached);
    } while (reached.after !== null && !stopping.signal.aborted);
    return reached;
  },
});

/** An entry of an IP whitelist, to add. */
export interface NewAddress {
  Address: string;
  Label: string;
}

/** The key that all queries begin with. */
export const EVERYTHING: QueryKey = [];
