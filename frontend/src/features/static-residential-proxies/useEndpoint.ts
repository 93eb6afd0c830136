// A node as an endpoint in the customer's preferred format and protocol.

import { useCallback } from 'react';
import type { Schemas } from '@/api/client';
import { type Endpoint, endpoints } from '@/core';
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
  const formats = endpoints().endpointFormats();
  const format = formats.find((one) => one === endpointFormat) ?? formats[0] ?? 'host_port_user_pass';
  const lineOf = useCallback(
    (node: Node) => endpoints().formatEndpoints([endpointOf(node, protocol)], format),
    [protocol, format],
  );
  return {
    formats,
    format,
    protocol,
    setFormat: (next: string) => set({ endpointFormat: next }),
    setProtocol: (next: 'http' | 'socks5') => set({ protocol: next }),
    lineOf,
  };
}
