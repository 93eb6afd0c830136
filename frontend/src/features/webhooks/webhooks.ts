// Webhooks in the query cache, and updates of it.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { post } from '@/api/client';
import type { WebhookList } from '@/api/webhooks';

/** Query key prefix of the delivery list. */
export const DELIVERIES = 'webhook-deliveries';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => post('Webhooks/GetWebhookList', undefined, { signal, silent: true }),
});

/** Replaces the cached webhooks with a response. */
export function keepWebhooks(client: QueryClient, list: WebhookList) {
  client.setQueryData(webhooksQuery.queryKey, list);
}

/** Refetches both lists after something was sent. */
export function refreshDeliveries(client: QueryClient) {
  client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  client.invalidateQueries({ queryKey: [DELIVERIES] });
}
