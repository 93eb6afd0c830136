// The calls of static residential proxies whose types the generated document does not have yet.
import { type CallOptions, post } from '@/api/client';
import type { ListParameters } from '@/ui/DataGrid';

export interface WhiteListEntry {
  WhiteId: number;
  VerStr: string;
  Address: string;
  Label: string;
  CreatedAt: string;
  LastUsedAt?: string | null;
}

export interface TestResult {
  Works: boolean;
  Milliseconds: number;
  ExitIp?: string | null;
  Problem?: string | null;
}

interface Calls {
  'Ips/GetMyWhiteList': [
    ListParameters & { Search: string; Filter: { VerStr?: string } },
    { Rows: WhiteListEntry[]; Total: number },
  ];
  'Ips/AddWhiteList': [{ VerStr: string; Address: string; Label: string }, WhiteListEntry];
  'Ips/DelWhite': [{ WhiteIds: number[] }, { Changed: number }];
  'Ips/TestNode': [{ NodeId: number; Protocol: string }, TestResult];
}

export const postSoon = post as unknown as <C extends keyof Calls>(
  call: C,
  parameters: Calls[C][0],
  options?: CallOptions,
) => Promise<Calls[C][1]>;
