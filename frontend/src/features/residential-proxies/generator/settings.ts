// The generator's settings: as form values, in the address, and as list requests. None of them is secret.
import type { EndpointServer, EndpointSettings } from '@/api/endpoints';
import type { ProxyUserView } from '@/api/proxyUsers';
import { type EndpointFormat, type ListRequest, screenRules } from '@/core';
import { clientIpUrl } from '@/core/clientIp';

/** Format value of a custom template, which is not one of core's formats. */
export const OWN_TEMPLATE = 'template';

/** Form values. */
export interface Settings {
  proxyUserId: number;
  serverId: number;
  scheme: 'http' | 'socks5';
  useWhitelist: boolean;
  country: string;
  state: string;
  city: string;
  isSticky: boolean;
  minutes: string;
  count: string;
  format: EndpointFormat | typeof OWN_TEMPLATE;
  template: string;
}

/** Placeholder for a missing password. */
export const PASSWORD_PLACEHOLDER = 'password';

const defaultFormat = (): EndpointFormat => screenRules().endpointFormats()[0] ?? 'host_port_user_pass';

export const emptySettings = (): Settings => ({
  proxyUserId: 0,
  serverId: 0,
  scheme: 'http',
  useWhitelist: false,
  country: '',
  state: '',
  city: '',
  isSticky: false,
  minutes: '10',
  count: '10',
  format: defaultFormat(),
  template: '{scheme}://{user}:{pass}@{host}:{port}',
});

const isFormat = (text: string): text is EndpointFormat =>
  screenRules()
    .endpointFormats()
    .some((one) => one === text);

/** Settings from an address; invalid values are ignored. */
export function settingsOf(address: URLSearchParams): Settings {
  const settings = emptySettings();
  const number = (key: string) => (/^\d{1,9}$/.test(address.get(key) ?? '') ? Number(address.get(key)) : 0);
  const text = (key: string, otherwise: string) => address.get(key)?.slice(0, 500) ?? otherwise;
  const format = text('Format', settings.format);
  return {
    proxyUserId: number('ProxyUserId'),
    serverId: number('ServerId'),
    scheme: address.get('Scheme') === 'socks5' ? 'socks5' : 'http',
    useWhitelist: address.get('UseWhitelist') === 'true',
    country: /^[A-Z]{2}$/.test(address.get('Country') ?? '') ? text('Country', '') : '',
    state: text('State', ''),
    city: text('City', ''),
    isSticky: address.get('Sticky') === 'true',
    minutes: text('TtlMinutes', settings.minutes),
    count: text('Count', settings.count),
    format: format === OWN_TEMPLATE || isFormat(format) ? format : settings.format,
    template: text('Template', settings.template),
  };
}

/** Only settings that differ from the defaults. */
export function addressOf(settings: Settings): URLSearchParams {
  const usual = emptySettings();
  const address = new URLSearchParams();
  const put = (key: string, name: keyof Settings) => {
    if (settings[name] !== usual[name]) address.set(key, String(settings[name]));
  };
  put('ProxyUserId', 'proxyUserId');
  put('ServerId', 'serverId');
  put('Scheme', 'scheme');
  put('UseWhitelist', 'useWhitelist');
  put('Country', 'country');
  put('State', 'state');
  put('City', 'city');
  put('Sticky', 'isSticky');
  put('TtlMinutes', 'minutes');
  put('Count', 'count');
  put('Format', 'format');
  if (settings.format === OWN_TEMPLATE) put('Template', 'template');
  return address;
}

/** Parses a whole number; anything else becomes 0, which the rules refuse. */
const wholeNumber = (text: string) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : 0);

/** Normalizes a typed place name for user names. */
const place = (name: string) => (name.trim() ? { name: screenRules().placePart(name) || name.trim() } : undefined);

/** The settings for the server, which stores them as a preset and builds lists from them. */
export function wireOf(settings: Settings, server: EndpointServer) {
  const { useWhitelist } = settings;
  const state = place(settings.state)?.name;
  const city = place(settings.city)?.name;
  const isOwn = settings.format === OWN_TEMPLATE;
  const isSticky = settings.isSticky && !useWhitelist;
  return {
    ServerId: server.ServerId,
    Scheme: settings.scheme,
    UseWhitelist: useWhitelist,
    ...(!useWhitelist && settings.country && { Country: settings.country }),
    ...(!useWhitelist && state && { State: state }),
    ...(!useWhitelist && city && { City: city }),
    Sticky: isSticky,
    ...(isSticky && settings.minutes.trim() && { TtlMinutes: wholeNumber(settings.minutes) }),
    Count: wholeNumber(settings.count),
    Format: settings.format === OWN_TEMPLATE ? defaultFormat() : settings.format,
    ...(isOwn && { Template: settings.template }),
  } satisfies EndpointSettings;
}

/** Applies a preset to the form; the proxy user stays. */
export function settingsOfWire(wire: EndpointSettings, now: Settings): Settings {
  return {
    ...emptySettings(),
    proxyUserId: now.proxyUserId,
    serverId: wire.ServerId,
    scheme: wire.Scheme === 'socks5' ? 'socks5' : 'http',
    useWhitelist: wire.UseWhitelist ?? false,
    country: wire.Country ?? '',
    state: wire.State ?? '',
    city: wire.City ?? '',
    isSticky: wire.Sticky ?? false,
    minutes: wire.TtlMinutes ? String(wire.TtlMinutes) : '',
    count: String(wire.Count),
    format: wire.Template ? OWN_TEMPLATE : wire.Format,
    template: wire.Template ?? now.template,
  };
}

/** The list request for core. Throws `CoreError` if the server does not support the protocol. */
export function requestOf(
  settings: Settings,
  server: EndpointServer,
  user: Pick<ProxyUserView, 'Name'> | undefined,
  password: string,
  seed: string,
): ListRequest {
  const { Host, HttpPort, Socks5Port } = server;
  const wire = { ...wireOf(settings, server), UseWhitelist: settings.useWhitelist || !user };
  const request = screenRules().listRequest(
    wire,
    { Host, HttpPort, ...(Socks5Port && { Socks5Port }) },
    { Name: user?.Name ?? '', Password: password },
    seed,
  );
  return { ...request, Target: clientIpUrl() };
}
