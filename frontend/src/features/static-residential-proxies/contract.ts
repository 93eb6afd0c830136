// The calls of static residential proxies whose types the generated document does not have yet.
import { type CallOptions, type Schemas as Generated, post as generated } from '@/api/client';
import type { ListParameters } from '@/ui/DataGrid';

export interface NodeFilter {
  Country?: string;
  City?: string;
  VerStr?: string;
  State?: string;
  /** 0: in no group. */
  GroupId?: number;
  AutoRenew?: boolean;
  Target?: string;
  EndsWithinDays?: number;
}

/** Nodes by their numbers, or all that match. */
export interface NodeSelection {
  NodeIds?: number[];
  All?: boolean;
  Filter?: NodeFilter;
  Search?: string;
}

interface NodeResult {
  NodeId: number;
  Ip: string;
  Code: number;
  Message: string;
}

interface BulkResult {
  Changed: number;
  Failed: NodeResult[];
}

interface SwitchQuota {
  VerStr: string;
  Limit: number;
  Used: number;
  Left: number;
  ResetsAt: string | null;
}

interface Places {
  Country: string;
  City: string;
  CountryNameEn: string;
  CountryNameZh: string;
  CityNameEn: string;
  CityNameZh: string;
}

interface SwitchItem {
  NodeId: number;
  OldIp: string;
  NewIp: string;
  Country: string;
  City: string;
  Isp: string;
  Price: string;
  Code: number;
  Message: string;
}

interface SwitchResult {
  DryRun: boolean;
  Mode: string;
  Items: SwitchItem[];
  Total: string;
  Currency: string;
  Quota: SwitchQuota;
  Balance: string;
  BalanceAfter: string;
}

interface PurchasableNode extends Places {
  NodeId: number;
  Ip: string;
  Isp: string;
  Asn: number;
  VerStr: string;
  Price: string;
}

interface SwitchRecord extends Places {
  SwitchId: number;
  OldIp: string;
  NewIp: string;
  OldNodeId: number;
  NewNodeId: number;
  VerStr: string;
  Mode: string;
  Reason: string;
  Price: string;
  Currency: string;
  Email: string;
  CreatedAt: string;
}

interface RenewQuote {
  PeriodDays: number;
  Quantity: number;
  Lines: {
    VerStr: string;
    Quantity: number;
    UnitPrice: string;
    Subtotal: string;
    Discounts: { Kind: 'period' | 'quantity'; BasisPoints: number; Amount: string }[];
    Total: string;
  }[];
  Total: string;
  Currency: string;
  EarliestExpiresAt: string;
  LatestExpiresAt: string;
  Skipped: NodeResult[];
}

interface VerAuth {
  VerStr: string;
  AccessMode: string;
  UserName: string;
  Password: string;
  OldUserName?: string | null;
  OldValidUntil?: string | null;
  WhiteListCount: number;
  NodeCount: number;
}

interface WhiteListEntry {
  WhiteId: number;
  VerStr: string;
  Address: string;
  Label: string;
  CreatedAt: string;
  LastUsedAt: string | null;
}

interface TestResult {
  Works: boolean;
  Milliseconds: number;
  ExitIp: string | null;
  Problem: string | null;
}

export type Schemas = Omit<Generated, 'OwnedNode' | 'Plan' | 'CreateOrder'> & {
  OwnedNode: Generated['OwnedNode'] & {
    OldUserName?: string | null;
    OldValidUntil?: string | null;
    PeriodDays: number;
    Targets: string[];
  };
  Plan: Generated['Plan'] & { AccessMode: string; UserName: string; Quota: SwitchQuota };
  CreateOrder: Generated['CreateOrder'] & { NodeIds?: number[] };
  NodeFilter: NodeFilter;
  NodeResult: NodeResult;
  BulkResult: BulkResult;
  SwitchQuota: SwitchQuota;
  SwitchItem: SwitchItem;
  SwitchResult: SwitchResult;
  PurchasableNode: PurchasableNode;
  SwitchRecord: SwitchRecord;
  RenewQuote: RenewQuote;
  VerAuth: VerAuth;
  WhiteListEntry: WhiteListEntry;
  UserTarget: { Target: string; NameEn: string; NameZh: string; Category: string; NodeCount: number };
  TestResult: TestResult;
};

interface Page<Row> {
  Rows: Row[];
  Total: number;
  Page: number;
  PageSize: number;
}

type List<Filter> = ListParameters & { Search: string; Filter: Filter; StartAndEndTime?: [string, string] };
type SwitchRequest = NodeSelection & { Reason: string; DryRun: boolean };

interface Calls {
  'Ips/GetUserNodeList': [List<NodeFilter>, Page<Schemas['OwnedNode']>];
  'Ips/UserEditNodeAccount': [
    NodeSelection & { UserName?: string; Password?: string; KeepOldHours: number },
    BulkResult,
  ];
  'Ips/EditNodeNote': [NodeSelection & { Note: string }, BulkResult];
  'Ips/SwitchNode': [SwitchRequest, SwitchResult];
  'Ips/SwitchNodeByUnitPrice': [SwitchRequest, SwitchResult];
  'Ips/MySpecifySwitchNode': [{ NodeId: number; NewNodeId: number; Reason: string; DryRun: boolean }, SwitchResult];
  'Ips/GetMyPurchasableNodeList': [
    List<{ VerStr: string; Country?: string; City?: string; Isp?: string; Target?: string }>,
    Page<PurchasableNode>,
  ];
  'Ips/UserGetSwitchRecording': [List<{ VerStr?: string; Mode?: string }>, Page<SwitchRecord>];
  'Ips/IpsNoneRenewByPrice': [NodeSelection & { PeriodDays: number }, RenewQuote];
  'Ips/IpsNoneRenew': [NodeSelection & { PeriodDays: number; ExpectedTotal: string }, Generated['OrderView']];
  'Ips/SetAutoRenew': [(NodeSelection | { VerStr: string }) & { AutoRenew: boolean }, BulkResult];
  'Ips/GetUserVerPlan': [undefined, Schemas['Plan'][]];
  'Ips/UserGetVerAuth': [{ VerStr: string }, VerAuth];
  'Ips/UpdateVerUserPass': [{ VerStr: string; UserName: string; Password: string; KeepOldHours: number }, VerAuth];
  'Ips/UpdateVerAuth': [{ VerStr: string; AccessMode: string }, VerAuth];
  'Ips/GetMyWhiteList': [List<{ VerStr?: string }>, Page<WhiteListEntry>];
  'Ips/AddWhiteList': [{ VerStr: string; Address: string; Label: string }, WhiteListEntry];
  'Ips/DelWhite': [{ WhiteIds: number[] }, { Changed: number }];
  'Ips/GetUserTargetList': [undefined, Schemas['UserTarget'][]];
  'Ips/AddUserPlanGroup': [{ Name: string; Colour: string; Note: string }, Generated['PlanGroup']];
  'Ips/EditUserPlanGroup': [{ GroupId: number; Name: string; Colour: string; Note: string }, Generated['PlanGroup']];
  'Ips/DeleteUserPlanGroup': [{ GroupId: number }, { Changed: number }];
  'Ips/ClearUserPlanGroupAllNode': [{ GroupId: number }, { Changed: number }];
  'Ips/AddToGroup': [NodeSelection & { GroupId: number }, BulkResult];
  'Ips/ClearUserPlanGroup': [NodeSelection, BulkResult];
  'Ips/TestNode': [{ NodeId: number; Protocol: string }, TestResult];
  'Order/CreateOrder': [Schemas['CreateOrder'], Generated['OrderView']];
}

export const post = generated as unknown as <C extends keyof Calls>(
  call: C,
  parameters?: Calls[C][0],
  options?: CallOptions,
) => Promise<Calls[C][1]>;

export const GROUP_COLOURS = ['grey', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export const SwitchMode = { Free: 'free', Paid: 'paid', Chosen: 'chosen' } as const;
export type SwitchMode = (typeof SwitchMode)[keyof typeof SwitchMode];
export const AccessMode = { Password: 'password', WhiteList: 'whitelist', Both: 'both' } as const;
