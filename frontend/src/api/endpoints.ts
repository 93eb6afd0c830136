// Calls for endpoint lists: the servers, saved settings, and URLs from which programs fetch a list.
import { change, query } from './calls';
import type { Schemas } from './client';

export type EndpointServer = Schemas['ServerView'];
export type EndpointSettings = Schemas['EndpointSettings'];
export type EndpointListUrl = Schemas['UrlView'];

export const serversQuery = { ...query(['endpoint-servers'], 'Endpoints/GetServerList'), staleTime: 300_000 };

export const testEndpoint = change('Endpoints/TestEndpoint');

const PRESETS = ['endpoint-presets'];
export const presetsQuery = query(PRESETS, 'Endpoints/GetPresetList');
export const savePreset = change('Endpoints/SavePreset', { outdates: [PRESETS] });
export const deletePreset = change('Endpoints/DeletePreset', { outdates: [PRESETS] });

const URLS = ['endpoint-urls'];
export const urlsQuery = query(URLS, 'Endpoints/GetUrlList');
export const createUrl = change('Endpoints/CreateUrl', { outdates: [URLS] });
export const revokeUrl = change('Endpoints/RevokeUrl', { outdates: [URLS] });
