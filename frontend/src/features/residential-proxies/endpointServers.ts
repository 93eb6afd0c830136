// Proxy servers for residential traffic, and the credentials of proxy users.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { post } from '@/api/client';
import type { EndpointServer } from '@/api/proxyUsers';
import { type Endpoint, loadEndpoints } from '@/core';

export const serversQuery = queryOptions({
  queryKey: ['endpoint-servers'],
  queryFn: ({ signal }) => post('Endpoints/GetServerList', undefined, { signal, silent: true }),
  staleTime: 300_000,
});

export const useServers = () => useQuery(serversQuery);

/** Port for a protocol; undefined if the server does not support it. */
export const portOf = (server: EndpointServer, scheme: 'http' | 'socks5') =>
  scheme === 'http' ? server.HttpPort : server.Socks5Port;

/** Passwords are fetched once and kept in memory only. */
export const passwordQuery = (proxyUserId: number) =>
  queryOptions({
    queryKey: ['proxy-user-password', proxyUserId],
    queryFn: async ({ signal }) => {
      const body = { ProxyUserId: proxyUserId };
      return (await post('ProxyUsers/RevealProxyUserPassword', body, { signal })).Password;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const forgetPassword = (client: QueryClient, proxyUserId: number) =>
  client.removeQueries({ queryKey: ['proxy-user-password', proxyUserId] });

/** The first server's endpoint for a proxy user without a location; undefined if there is no server. */
export async function endpointOf(
  client: QueryClient,
  user: { ProxyUserId: number; Name: string },
  scheme: 'http' | 'socks5',
): Promise<Endpoint | undefined> {
  const [servers, password, rules] = await Promise.all([
    client.fetchQuery(serversQuery),
    client.fetchQuery(passwordQuery(user.ProxyUserId)),
    loadEndpoints(),
  ]);
  const server = servers.find((one) => portOf(one, scheme)) ?? servers[0];
  if (!server) return undefined;
  const port = portOf(server, scheme);
  return {
    Scheme: port ? scheme : 'http',
    Host: server.Host,
    Port: port ?? server.HttpPort,
    UserName: rules.formatUserName({ Name: user.Name }),
    Password: password,
  };
}
