// Calls for the account and its user: details, preferences, sign-in and its protection, API keys.
import { queryOptions } from '@tanstack/react-query';
import { loadScreenRules } from '@/core';
import { type Change, change, file, query } from './calls';
import { get, getPicture, post, type Schemas, upload } from './client';
import { list } from './lists';

export type Details = Required<Schemas['AccountDetails']>;

/** With the rules of the form. */
export const detailsQuery = queryOptions({
  queryKey: ['account-details'],
  queryFn: async () => (await Promise.all([post('User/GetAccountDetails'), loadScreenRules()]))[0] as Details,
  staleTime: 0,
  gcTime: 0,
});
export const updateAccountDetails = change('User/UpdateAccountDetails');
export const updatePreferences = change('User/UpdatePreferences');
export const requestEmailChange = change('User/RequestEmailChange');
export const exportData = file('User/ExportData');
export const closeAccount = change('User/CloseAccount');

export const clientIpQuery = queryOptions({
  queryKey: ['client-ip'],
  queryFn: ({ signal }) => get('SystemSettings/GetClientIp', { signal, silent: true }),
  staleTime: 60_000,
});

export const avatarQuery = (changedAt: string | null | undefined) =>
  queryOptions({
    queryKey: ['avatar', changedAt],
    queryFn: ({ signal }) => getPicture('User/GetAvatar', { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
export const uploadAvatar: Change<File, unknown> = { send: (picture) => upload('User/UploadAvatar', picture) };
export const deleteAvatar = change('User/DeleteAvatar');

export const revealAccessToken = change('User/RevealAccessToken');
export const rotateAccessToken = change('User/RotateAccessToken');
export const revokeAccessToken = change('User/RevokeAccessToken');

const TWO_FACTOR = ['two-factor'];
const SESSIONS = ['sessions'];
/** Name of the list of sign-ins and changes. */
export const SECURITY_LOG = 'security-log';
export const loadSecurityLog = list('User/GetSecurityLog');
const outdates = [TWO_FACTOR, SESSIONS, [SECURITY_LOG]];

export const twoFactorQuery = query(TWO_FACTOR, 'User/GetTwoFactor');
export const beginTwoFactor = change('User/BeginTwoFactor');
export const turnOnTwoFactor = change('User/TurnOnTwoFactor', { outdates });
export const turnOffTwoFactor = change('User/TurnOffTwoFactor', { outdates });
export const replaceRecoveryCodes = change('User/ReplaceRecoveryCodes', { outdates });
export const confirmTwoFactor = change('User/ConfirmTwoFactor');
export const changePassword = change('User/ChangePassword', { outdates });

export const sessionsQuery = query(SESSIONS, 'User/GetSessionList');
export const revokeSession = change('User/RevokeSession', { outdates });
export const revokeOtherSessions = change('User/RevokeOtherSessions', { outdates });

const API_KEYS = ['api-keys'];
export const apiKeysQuery = query(API_KEYS, 'ApiKeys/GetApiKeyList');
export const addApiKey = change('ApiKeys/AddApiKey', { outdates: [API_KEYS] });
export const editApiKey = change('ApiKeys/EditApiKey', { outdates: [API_KEYS] });
export const revokeApiKey = change('ApiKeys/RevokeApiKey', { outdates: [API_KEYS] });
