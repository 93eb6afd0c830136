// A node as an endpoint in the customer's preferred format and protocol.

import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import { type Endpoint, type EndpointFormat, screenRules } from '@/core';
import { usePreferences } from '@/stores/preferences';

export const PROTOCOLS = [
  { value: 'http', label: 'HTTP' },
  { value: 'socks5', label: 'SOCKS5' },
] as const;

type Node = Pick<Schemas['OwnedNode'], 'Ip' | 'HttpPort' | 'Socks5Port' | 'UserName' | 'Password'>;

export function endpointOf(node: Node, protocol: 'http' | 'socks5'): Endpoint {
  return {
    Scheme: protocol,
    Host: node.Ip,
    Port: protocol === 'http' ? node.HttpPort : node.Socks5Port,
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
