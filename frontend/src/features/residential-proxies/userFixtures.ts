// Sample proxy users, servers and settings for unit tests.
import type { EndpointServer, EndpointSettings } from '@/api/endpoints';
import type { ProxyUserView } from '@/api/proxyUsers';

export const proxyUser = (id: number, other: Partial<ProxyUserView> = {}): ProxyUserView => ({
  ProxyUserId: id,
  Name: `scraper_${id}`,
  Note: '',
  State: 'active',
  LimitBytes: 5_000_000_000,
  LeftBytes: 3_800_000_000,
  UsedBytes: 1_200_000_000,
  TotalBytes: 2_400_000_000,
  LimitCycle: 'month',
  CycleStartsAt: '2026-11-01 00:00:00',
  CycleEndsAt: '2099-12-01 00:00:00',
  Countries: [],
  CreatedAt: '2026-10-01 00:00:00',
  DailyBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000_000_000, 200_000_000],
  ...other,
});

export const endpointServer = (other: Partial<EndpointServer> = {}): EndpointServer => ({
  ServerId: 1,
  Name: 'Global',
  Host: 'gate.example',
  HttpPort: 8000,
  Socks5Port: 1080,
  ...other,
});

export const endpointSettings = (other: Partial<EndpointSettings> = {}): EndpointSettings => ({
  ServerId: 1,
  Scheme: 'http',
  UseWhitelist: false,
  Sticky: false,
  Count: 10,
  Format: 'url',
  ...other,
});
