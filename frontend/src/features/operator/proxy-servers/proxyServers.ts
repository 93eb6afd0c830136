// Addresses of the views of proxy servers.
import type { ProxyServer } from '@/api/operator';
import { OPERATOR_PATH } from '@/core/constants.gen';

export const VIEW_KEY = 'view';
export const REJECTED = 'rejected';

/** Address of a server's rejected records. */
export const rejectedOf = (server: ProxyServer) =>
  `${OPERATOR_PATH}/proxy-servers?${new URLSearchParams({ [VIEW_KEY]: REJECTED, ServerId: String(server.ServerId) })}`;
