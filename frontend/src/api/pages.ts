// Keyset pagination: a page that follows a fetched one is requested by its cursor, any other page by number.

type Body = Record<string, unknown>;

/** Maximum number of remembered cursors; the oldest are dropped first. */
const MAX_CURSORS = 500;

/** The cursor of the next page, by list and page number. */
const nextCursors = new Map<string, string>();

const nameOf = (token: string | undefined, call: string, body: Body, page: number) => {
  const { Page: _, ...list } = body;
  return JSON.stringify([token, call, list, page]);
};

const pageOf = (body: unknown): number | undefined => {
  const page = (body as Body | undefined)?.Page;
  return typeof page === 'number' ? page : undefined;
};

/** Adds the cursor from the previous page, if known. */
export function withCursor<B>(token: string | undefined, call: string, body: B): B {
  const page = pageOf(body);
  if (page === undefined || page < 2) return body;
  const After = nextCursors.get(nameOf(token, call, body as Body, page - 1));
  return After === undefined ? body : { ...body, After };
}

/** Stores the cursor of the next page. */
export function storeCursor(token: string | undefined, call: string, body: unknown, data: unknown): void {
  const page = pageOf(body);
  if (page === undefined) return;
  const name = nameOf(token, call, body as Body, page);
  const next = (data as { Next?: unknown } | undefined)?.Next;
  nextCursors.delete(name);
  if (typeof next === 'string') nextCursors.set(name, next);
  for (const oldest of nextCursors.keys()) {
    if (nextCursors.size <= MAX_CURSORS) break;
    nextCursors.delete(oldest);
  }
}

/** Drops a cursor that the server no longer accepts, for example after an update. */
export function dropCursor(token: string | undefined, call: string, body: unknown): void {
  const page = pageOf(body);
  if (page !== undefined) nextCursors.delete(nameOf(token, call, body as Body, page - 1));
}
