// Also used by src/beforePaint.ts: this module must stay small.

/** Whether an address opens one item of a list, which has a title of its own. */
export const opensItem = (search: string) => new URLSearchParams(search).has('OrderNumber');
