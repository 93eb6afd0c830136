// Types of the responses about proxy users and endpoint lists.
import type { Schemas } from './client';

export type ProxyUserView = Schemas['ProxyUserView'];
export type ProxyUserState = ProxyUserView['State'];
export type LimitCycle = ProxyUserView['LimitCycle'];
export type ProxyUserForm = Required<Schemas['ProxyUserForm']>;
export type ProxyUserFilter = {
  State?: ProxyUserState;
  Country?: string;
};
export type ProxyUserWithPassword = Schemas['ProxyUserWithPassword'];
export type ProxyUsersChanged = Schemas['ProxyUsersChanged'];
export type ProxyUsersImported = Schemas['ProxyUsersImported'];
export type ProxyUserAddress = Schemas['ProxyUserAddress'];
export type EndpointServer = Schemas['ServerView'];
export type EndpointSettings = Schemas['EndpointSettings'];
export type EndpointPreset = Schemas['PresetView'];
export type EndpointListUrl = Schemas['UrlView'];
