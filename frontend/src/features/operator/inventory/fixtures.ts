// Sample rows of the inventory for the tests of its screen; each test overrides what differs.
import { vi } from 'vitest';
import type { InventoryNode, NodesImported, Shelf, UseCase } from '@/api/inventory';
import type { Sent } from '@/test/server';

export const REGULAR = 'shared ISP proxies plan';

const NEW_YORK = {
  Country: 'US',
  CountryNameEn: 'United States',
  CountryNameZh: '美国',
  City: 'new-york',
  CityNameEn: 'New York',
  CityNameZh: '纽约',
};

export const node = (NodeId: number, change: Partial<InventoryNode> = {}): InventoryNode => ({
  ...NEW_YORK,
  NodeId,
  Ip: `198.51.100.${NodeId}`,
  HttpPort: 8000,
  Socks5Port: 1080,
  Isp: 'Northlight',
  Asn: 64500,
  VerStr: REGULAR,
  State: 'available',
  Supplier: 'Acme',
  Cost: '1.20',
  Currency: 'USD',
  Server: null,
  Targets: [],
  AccountId: null,
  Email: null,
  ExpiresAt: null,
  FreeAt: null,
  ...change,
});
export const OWNED = { State: 'assigned', AccountId: 7, Email: 'ann@example.com' } as const;

export const shelf = (change: Partial<Shelf> = {}): Shelf => ({
  ...NEW_YORK,
  VerStr: REGULAR,
  Nodes: 40,
  Available: 12,
  Sold: 6,
  DaysLeft: 60,
  ...change,
});

export const usedFor = (Target: string, NameEn: string, change: Partial<UseCase> = {}): UseCase => ({
  Target,
  NameEn,
  NameZh: NameEn,
  Category: '',
  Nodes: 0,
  ...change,
});

export const imported = (change: Partial<NodesImported> = {}): NodesImported => ({
  Nodes: 2,
  IsImported: false,
  WrongCells: 0,
  Wrong: [],
  Shelves: [{ ...NEW_YORK, VerStr: REGULAR, Nodes: 2 }],
  ...change,
});

const TIER = {
  VerStr: REGULAR,
  NodeType: 2,
  LabelEn: 'Regular',
  LabelZh: '普通',
  DescEn: '',
  DescZh: '',
  Price: '5.00',
};
const DEDICATED = { ...TIER, VerStr: 'dedicated', LabelEn: 'Dedicated' };

export const page = (...Rows: object[]) => ({ Data: { Rows, Total: Rows.length, Page: 1, PageSize: 50 } });

/** Answers to what the screen loads. */
export const replies = (...nodes: InventoryNode[]) => ({
  'Operator/GetInventory': page(...nodes),
  'Operator/GetStock': { Data: [shelf()] },
  'Operator/GetUseCaseList': { Data: [] as UseCase[] },
  'Operator/GetProxyServerList': { Data: [{ ServerId: 4, Name: 'gate-1', Kind: 'static' }] },
  'Ips/GetServerVer': { Data: { Currency: 'USD', Tiers: [TIER, DEDICATED], Periods: [], QuantitySteps: [] } },
});

export const last = (sent: Sent[], call: string) => sent.findLast((one) => one.call === call)?.body;

/** Answers each upload of a file in turn; returns the calls that were made. */
export function answerUploads(...answers: object[]): string[] {
  const calls: string[] = [];
  class FakeRequest {
    upload: { onprogress?: (event: object) => void } = {};
    status = 0;
    response?: ArrayBuffer;
    onload = () => {};
    open(_method: string, url: string) {
      calls.push(url.replace('/api/', ''));
    }
    setRequestHeader() {}
    async send() {
      this.upload.onprogress?.({ loaded: 1, total: 1 });
      const answer = { Code: 1000, Message: '', ...answers[calls.length - 1] };
      this.response = await new Response(JSON.stringify(answer)).arrayBuffer();
      this.status = 200;
      this.onload();
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return calls;
}
