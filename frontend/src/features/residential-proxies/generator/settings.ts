// The generator's settings: as somebody fills them in, in the address, and for the rules that build lists. None of them is a secret.
import type { EndpointServer, EndpointSettings, ProxyUserView } from '@/api/proxyUsers';
import { type EndpointFormat, endpoints, type ListRequest } from '@/core';
import { portOf } from '../endpointServers';

/** As the fields of the form have them. */
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
  /** One of the formats, or the own template. */
  format: string;
  template: string;
}

/** The value of the format that is no format of the rules: the customer's own template. */
export const OWN_TEMPLATE = 'template';

/** In the place of a password that is not there. */
export const PASSWORD_PLACEHOLDER = 'password';

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
  format: endpoints().endpointFormats()[0] ?? 'host_port_user_pass',
  template: '{scheme}://{user}:{pass}@{host}:{port}',
});

const isFormat = (text: string): text is EndpointFormat =>
  endpoints()
    .endpointFormats()
    .some((one) => one === text);

/** What an address says; anything that it says wrongly is as if it said nothing. */
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

/** Only what differs from the settings that one begins with. */
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

/** A whole number as typed; 0, which the rules refuse, for anything else. */
const wholeNumber = (text: string) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : 0);

/** A place by the name that somebody typed, as user names have it. */
const place = (name: string) => (name.trim() ? { name: endpoints().placePart(name) || name.trim() } : undefined);

/** For the server, which keeps them as a preset and builds lists from them. */
export function wireOf(settings: Settings, server: EndpointServer): EndpointSettings {
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
    Format: isOwn ? (emptySettings().format as EndpointFormat) : settings.format,
    ...(isOwn && { Template: settings.template }),
  };
}

/** A preset's settings in the form, whose proxy user stays. */
export function settingsOfWire(wire: EndpointSettings, now: Settings): Settings {
  return {
    ...emptySettings(),
    proxyUserId: now.proxyUserId,
    serverId: wire.ServerId,
    scheme: wire.Scheme,
    useWhitelist: wire.UseWhitelist,
    country: wire.Country ?? '',
    state: wire.State ?? '',
    city: wire.City ?? '',
    isSticky: wire.Sticky,
    minutes: wire.TtlMinutes ? String(wire.TtlMinutes) : '',
    count: String(wire.Count),
    format: wire.Template === undefined ? wire.Format : OWN_TEMPLATE,
    template: wire.Template ?? now.template,
  };
}

/** What the rules build the list from. */
export function requestOf(
  settings: Settings,
  server: EndpointServer,
  user: Pick<ProxyUserView, 'Name'> | undefined,
  password: string,
  seed: string,
): ListRequest {
  const wire = wireOf(settings, server);
  const port = portOf(server, settings.scheme);
  return {
    Scheme: wire.Scheme,
    Host: server.Host,
    Ports: port === undefined ? [] : [port],
    ...(!wire.UseWhitelist &&
      user && {
        User: {
          Name: user.Name,
          ...(wire.Country && { Country: wire.Country.toLowerCase() }),
          ...(wire.State && { State: wire.State }),
          ...(wire.City && { City: wire.City }),
          ...(wire.TtlMinutes !== undefined && { TtlMinutes: wire.TtlMinutes }),
        },
        Password: password,
      }),
    Count: wire.Count,
    Sticky: wire.Sticky,
    Seed: seed,
    Format: wire.Format as EndpointFormat,
    ...(wire.Template !== undefined && { Template: wire.Template }),
  };
}
