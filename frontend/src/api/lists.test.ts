// Pages of a list: what is asked of the server for each.
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answerWith } from '@/test/server';
import { toastError } from '@/ui/toast';
import { post } from './client';
import { listQuery } from './lists';

const load = (list: object, options: object) =>
  post('Order/GetOrderList', { ...list, Search: '', Filter: {} } as never, options);
const pageOf = (Page: number, PageSize = 10) => listQuery('orders', { Page, PageSize, Sort: [] }, 'null', load);

test('the page after a fetched one is requested by its cursor, any other page by number', async () => {
  const sent = answerWith({
    'Order/GetOrderList': ({ body }) => ({ Data: { Rows: [], Next: body.Page === 2 ? undefined : `k${body.Page}` } }),
  });
  const client = new QueryClient();
  for (const page of [1, 2, 3, 5]) await client.fetchQuery(pageOf(page));
  await client.fetchQuery(pageOf(2, 20));
  expect(sent.map(({ body }) => [body.Page, body.After])).toEqual([
    [1, undefined],
    [2, 'k1'],
    [3, undefined],
    [5, undefined],
    [2, undefined],
  ]);
});

test('a page whose cursor the server no longer accepts is requested by number', async () => {
  const sent = answerWith({
    'Order/GetOrderList': ({ body }) => (body.After ? { Code: 2001, Data: {} } : { Data: { Rows: [], Next: 'kOld' } }),
  });
  const client = new QueryClient();
  for (const page of [1, 2]) await client.fetchQuery(pageOf(page));
  expect(sent.map(({ body }) => body.After)).toEqual([undefined, 'kOld', undefined]);
  expect(toastError).not.toHaveBeenCalled();
});
