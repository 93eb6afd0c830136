// Proxy users, and the lists of endpoints that are made for them: what their calls take and answer.
import { type CallOptions, post } from './client';

export type ProxyUserState = 'active' | 'paused' | 'exhausted' | 'expired' | 'deleted';
export type LimitCycle = 'none' | 'day' | 'week' | 'month';

export interface ProxyUserView {
  ProxyUserId: number;
  Name: string;
  Note: string;
  State: ProxyUserState;
  /** Absent for no limit. */
  LimitBytes?: number;
  LimitCycle: LimitCycle;
  /** Since the cycle began. */
  UsedBytes: number;
  TotalBytes: number;
  LeftBytes?: number;
  CycleStartsAt: string;
  CycleEndsAt?: string;
  ExpiresAt?: string;
  /** Two-letter codes; empty for all. */
  Countries: string[];
  LastUsedAt?: string;
  CreatedAt: string;
  /** Until then the password before this one works, too. */
  OldPasswordUntil?: string;
  /** Of the last 14 days, oldest first, by UTC day. */
  DailyBytes: number[];
}

export interface ProxyUserForm {
  Name: string;
  /** The server generates one, or keeps the one there is, if this is empty. */
  Password: string;
  Note: string;
  LimitGigabytes: string;
  LimitCycle: LimitCycle;
  ExpiresAt: string;
  Countries: string[];
}

export interface ProxyUserFilter {
  State?: ProxyUserState;
  Country?: string;
}

interface ProxyUserListRequest {
  Page: number;
  PageSize: number;
  Sort: { Field: string; Direction: 'asc' | 'desc' }[];
  Search: string;
  Filter: ProxyUserFilter;
}

interface ProxyUserPage {
  Rows: ProxyUserView[];
  Total: number;
  SortableFields?: string[];
}

/** A proxy user with its password in plain text. */
export interface ProxyUserWithPassword {
  ProxyUser: ProxyUserView;
  Password: string;
}

export interface ProxyUsersChanged {
  Changed: number;
  /** Their state did not allow it. */
  Skipped: { ProxyUserId: number; State: ProxyUserState }[];
}

export interface ProxyUsersImported {
  Created: number;
  /** Absent on a dry run. */
  Rows?: { Line: number; Name: string; Password: string }[];
}

export interface ProxyUserAddress {
  AddressId: number;
  ProxyUserId: number;
  ProxyUserName: string;
  Address: string;
  Label: string;
  CreatedAt: string;
  LastUsedAt?: string;
}

/** Where customers of residential traffic connect to. */
export interface EndpointServer {
  ServerId: number;
  Name: string;
  Host: string;
  HttpPort: number;
  Socks5Port?: number;
}

/** What a list of endpoints is made of, without secrets. */
export interface EndpointSettings {
  ServerId: number;
  Scheme: 'http' | 'socks5';
  UseWhitelist: boolean;
  Country?: string;
  State?: string;
  City?: string;
  Sticky: boolean;
  TtlMinutes?: number;
  Count: number;
  Format: string;
  Template?: string;
}

export interface EndpointPreset {
  PresetId: number;
  Name: string;
  Settings: EndpointSettings;
}

export interface EndpointListUrl {
  UrlId: number;
  Name: string;
  ProxyUserId: number;
  ProxyUserName: string;
  Settings: EndpointSettings;
  CreatedAt: string;
  LastUsedAt?: string;
  LastAddress?: string;
  Uses: number;
}

interface Ids {
  ProxyUserIds: number[];
}

/** Each call with what it takes and what it answers. */
interface Calls {
  'ProxyUsers/GetProxyUserList': [ProxyUserListRequest, ProxyUserPage];
  'ProxyUsers/AddProxyUser': [ProxyUserForm, ProxyUserWithPassword];
  'ProxyUsers/EditProxyUser': [{ ProxyUserId: number } & Omit<ProxyUserForm, 'Password'>, ProxyUserView];
  'ProxyUsers/ChangeProxyUserPassword': [
    { ProxyUserId: number; Password: string; OldValidMinutes: number },
    ProxyUserWithPassword,
  ];
  'ProxyUsers/RevealProxyUserPassword': [{ ProxyUserId: number }, { Password: string }];
  'ProxyUsers/PauseProxyUsers': [Ids, ProxyUsersChanged];
  'ProxyUsers/ResumeProxyUsers': [Ids, ProxyUsersChanged];
  'ProxyUsers/DeleteProxyUsers': [Ids, ProxyUsersChanged];
  'ProxyUsers/ResetProxyUsers': [Ids, ProxyUsersChanged];
  'ProxyUsers/ImportProxyUsers': [{ Csv: string; DryRun: boolean }, ProxyUsersImported];
  'ProxyUsers/GetProxyUserAddressList': [undefined, ProxyUserAddress[]];
  'ProxyUsers/AddProxyUserAddress': [{ ProxyUserId: number; Address: string; Label: string }, ProxyUserAddress];
  'ProxyUsers/DelProxyUserAddress': [{ AddressId: number }, unknown];
  'Endpoints/GetServerList': [undefined, EndpointServer[]];
  'Endpoints/GetPresetList': [undefined, EndpointPreset[]];
  'Endpoints/SavePreset': [{ Name: string; Settings: EndpointSettings }, EndpointPreset];
  'Endpoints/DeletePreset': [{ PresetId: number }, unknown];
  'Endpoints/GetUrlList': [undefined, EndpointListUrl[]];
  'Endpoints/CreateUrl': [
    { Name: string; ProxyUserId: number; Settings: EndpointSettings },
    { UrlId: number; Url: string },
  ];
  'Endpoints/RevokeUrl': [{ UrlId: number }, unknown];
}

type AnyPost = (call: string, parameters: unknown, options?: CallOptions) => Promise<unknown>;

/** As `post`, with the types above. */
export const postProxyUsers = <C extends keyof Calls>(
  call: C,
  parameters?: Calls[C][0],
  options?: CallOptions,
): Promise<Calls[C][1]> => (post as unknown as AnyPost)(call, parameters, options) as Promise<Calls[C][1]>;
