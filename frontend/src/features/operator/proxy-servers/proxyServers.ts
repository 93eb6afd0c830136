// Query of the proxy servers, and addresses of their views.
import { queryOptions } from '@tanstack/react-query';
import { post, type Schemas } from '@/api/client';
import { OPERATOR_PATH } from '@/core/constants.gen';

export type ProxyServer = Schemas['ProxyServerView'];

export const VIEW_KEY = 'view';
export const REJECTED = 'rejected';

export const serversQuery = queryOptions({
  queryKey: ['proxy-servers'],
  queryFn: ({ signal }) => post('Operator/GetProxyServerList', undefined, { signal, silent: true }),
});

/** Address of a server's rejected records. */
export const rejectedOf = (server: ProxyServer) =>
  `${OPERATOR_PATH}/proxy-servers?${new URLSearchParams({ [VIEW_KEY]: REJECTED, ServerId: String(server.ServerId) })}`;
