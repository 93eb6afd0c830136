// The webhooks of the account as the cache keeps them, and what changes them.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { post } from '@/api/client';
import type { WebhookList } from '@/api/webhooks';

/** The name of the list of deliveries, which begins the keys of its pages. */
export const DELIVERIES = 'webhook-deliveries';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => post('Webhooks/GetWebhookList', undefined, { signal, silent: true }),
});

/** What a call answered is what there is now. */
export function keepWebhooks(client: QueryClient, list: WebhookList) {
  client.setQueryData(webhooksQuery.queryKey, list);
}

/** After something was sent, both lists tell more. */
export function refreshDeliveries(client: QueryClient) {
  client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  client.invalidateQueries({ queryKey: [DELIVERIES] });
}
