// A node as an endpoint in the customer's preferred format and protocol.

import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import { type Endpoint, type EndpointFormat, screenRules } from '@/core';
import { clientIpUrl } from '@/core/clientIp';
import { usePreferences } from '@/stores/preferences';

const PROTOCOLS = [
  { value: 'http', label: 'HTTP' },
  { value: 'socks5', label: 'SOCKS5' },
] as const;

/** The protocols to choose from; of a node without SOCKS5, HTTP alone. */
export const protocolsOf = (node?: Pick<Schemas['OwnedNode'], 'Socks5Port'>) =>
  PROTOCOLS.filter(({ value }) => value === 'http' || !node || node.Socks5Port);

type Protocol = (typeof PROTOCOLS)[number]['value'];
type Node = Pick<Schemas['OwnedNode'], 'Ip' | 'HttpPort' | 'Socks5Port' | 'UserName' | 'Password'>;

/** Over HTTP, if the node has no SOCKS5. */
export function endpointOf(node: Node, protocol: Protocol): Endpoint & { Scheme: Protocol } {
  const [Scheme, Port]: [Protocol, number] =
    protocol === 'socks5' && node.Socks5Port ? ['socks5', node.Socks5Port] : ['http', node.HttpPort];
  return {
    Scheme,
    Host: node.Ip,
    Port,
    UserName: node.UserName,
    Password: node.Password,
  };
}

export function useEndpoint() {
  const { endpointFormat, protocol, set } = usePreferences();
  const formats = screenRules().endpointFormats();
  const format = formats.find((one) => one === endpointFormat) ?? formats[0] ?? 'host_port_user_pass';
  const linesOf = useCallback(
    (nodes: Node[], as: EndpointFormat) =>
      screenRules().formatEndpoints(
        nodes.map((node) => endpointOf(node, protocol)),
        as,
        clientIpUrl(),
      ),
    [protocol],
  );
  const lineOf = useCallback((node: Node) => linesOf([node], format), [linesOf, format]);
  return {
    formats,
    format,
    protocol,
    setFormat: (next: string) => set({ endpointFormat: next as EndpointFormat }),
    setProtocol: (next: 'http' | 'socks5') => set({ protocol: next }),
    lineOf,
    linesOf,
  };
}
