// Proxy servers for residential traffic, and the credentials of proxy users.
import type { QueryClient } from '@tanstack/react-query';
import { type EndpointServer, serversQuery } from '@/api/endpoints';
import { passwordQuery } from '@/api/proxyUsers';
import { type Endpoint, loadScreenRules } from '@/core';

/** Port for a protocol; undefined if the server does not support it. */
export const portOf = (server: EndpointServer, scheme: 'http' | 'socks5') =>
  scheme === 'http' ? server.HttpPort : server.Socks5Port;

/** The first server's endpoint for a proxy user without a location; undefined if there is no server. */
export async function endpointOf(
  client: QueryClient,
  user: { ProxyUserId: number; Name: string },
  scheme: 'http' | 'socks5',
): Promise<Endpoint | undefined> {
  const [servers, password, rules] = await Promise.all([
    client.fetchQuery(serversQuery),
    client.fetchQuery(passwordQuery(user.ProxyUserId)),
    loadScreenRules(),
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
