// Calls for the status of proxy servers.
import { query } from './calls';
import type { Schemas } from './client';

export type ServerStatus = Schemas['ServerStatusView'];
export type StatusDay = Schemas['StatusDay'];

export const serverStatusQuery = query(['server-status'], 'Endpoints/GetServerStatusList');
