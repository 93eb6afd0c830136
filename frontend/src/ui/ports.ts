// The ports of a proxy or proxy server, in one line.
interface Ports {
  HttpPort: number;
  Socks5Port?: number | null | undefined;
}

export const portsOf = ({ HttpPort, Socks5Port }: Ports) =>
  Socks5Port ? `HTTP ${HttpPort} · SOCKS5 ${Socks5Port}` : `HTTP ${HttpPort}`;
