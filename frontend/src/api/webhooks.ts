// Types of the webhook responses.
import type { Schemas } from './client';

export type WebhookList = Schemas['WebhookList'];
export type WebhookView = Schemas['WebhookView'];
export type WebhookSecret = Schemas['WebhookSecret'];
export type DeliveryView = Schemas['DeliveryView'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type AttemptView = Schemas['AttemptView'];
export type EventName = DeliveryView['Kind'];
