// Also used by src/beforePaint.ts: this module must stay small.

/** In addresses of screens that show one item of a list: a customer's order, and the operator's. */
const ITEM_PARAMETERS = ['OrderId', 'OrderNumber'];

/** Whether an address opens one item of a list, which has a title of its own. */
export function opensItem(search: string): boolean {
  const parameters = new URLSearchParams(search);
  return ITEM_PARAMETERS.some((name) => parameters.has(name));
}
