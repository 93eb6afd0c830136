// Pages of lists: the page after one that was seen goes on from its key, where the server is at once; to any other it counts.

type Body = Record<string, unknown>;

/** How many pages are remembered; the oldest are forgotten first. */
const MOST = 500;

/** What follows a page, by the list that it is of and its number. */
const following = new Map<string, string>();

const nameOf = (token: string | undefined, call: string, body: Body, page: number) => {
  const { Page: _, ...list } = body;
  return JSON.stringify([token, call, list, page]);
};

const pageOf = (body: unknown): number | undefined => {
  const page = (body as Body | undefined)?.Page;
  return typeof page === 'number' ? page : undefined;
};

/** The parameters of a list's page with the key of the page before it, if that is known. */
export function withKey<B>(token: string | undefined, call: string, body: B): B {
  const page = pageOf(body);
  if (page === undefined || page < 2) return body;
  const After = following.get(nameOf(token, call, body as Body, page - 1));
  return After === undefined ? body : { ...body, After };
}

/** Remembers what follows a page that was answered. */
export function rememberKey(token: string | undefined, call: string, body: unknown, data: unknown): void {
  const page = pageOf(body);
  if (page === undefined) return;
  const name = nameOf(token, call, body as Body, page);
  const next = (data as { Next?: unknown } | undefined)?.Next;
  following.delete(name);
  if (typeof next === 'string') following.set(name, next);
  for (const oldest of following.keys()) {
    if (following.size <= MOST) break;
    following.delete(oldest);
  }
}

/** The server no longer takes the key of the page before this one: it may have been updated. */
export function forgetKey(token: string | undefined, call: string, body: unknown): void {
  const page = pageOf(body);
  if (page !== undefined) following.delete(nameOf(token, call, body as Body, page - 1));
}
