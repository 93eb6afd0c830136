// Calls for webhooks and their deliveries.
import { change, query } from './calls';
import type { Schemas } from './client';
import { list } from './lists';

export type WebhookView = Schemas['WebhookView'];
export type WebhookSecret = Schemas['WebhookSecret'];
export type DeliveryView = Schemas['DeliveryView'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type AttemptView = Schemas['AttemptView'];
export type EventName = DeliveryView['Kind'];

const WEBHOOKS = ['webhooks'];
/** Name of the delivery list. */
export const DELIVERIES = 'webhook-deliveries';
/** What changes when something is sent. */
export const SENDING = [WEBHOOKS, [DELIVERIES]];

export const webhooksQuery = query(WEBHOOKS, 'Webhooks/GetWebhookList');
export const addWebhook = change('Webhooks/AddWebhook', { outdates: [WEBHOOKS] });
export const editWebhook = change('Webhooks/EditWebhook', { answers: WEBHOOKS });
export const enableWebhook = change('Webhooks/EnableWebhook', { answers: WEBHOOKS, outdates: [[DELIVERIES]] });
export const deleteWebhook = change('Webhooks/DeleteWebhook', { answers: WEBHOOKS, outdates: [[DELIVERIES]] });
export const rotateWebhookSecret = change('Webhooks/RotateWebhookSecret', { outdates: [WEBHOOKS] });
export const sendTestEvent = change('Webhooks/SendTestEvent', { outdates: SENDING });

export const loadDeliveries = list('Webhooks/GetDeliveryList');
export const deliveryQuery = (DeliveryId: number) => ({
  ...query(['webhook-delivery', DeliveryId], 'Webhooks/GetDelivery', { DeliveryId }),
  staleTime: 0,
});
export const resendDelivery = change('Webhooks/ResendDelivery', {
  outdates: ({ DeliveryId }) => [['webhook-delivery', DeliveryId]],
});
