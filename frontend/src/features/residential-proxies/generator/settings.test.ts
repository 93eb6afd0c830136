// The generator's settings in the form, the address, presets and list requests.
import { expect, test } from 'vitest';
import { screenRules } from '@/core';
import { endpointServer, proxyUser } from '../userFixtures';
import { addressOf, emptySettings, requestOf, type Settings, settingsOf, settingsOfWire, wireOf } from './settings';

const FULL: Settings = {
  ...emptySettings(),
  proxyUserId: 7,
  serverId: 1,
  scheme: 'socks5',
  country: 'BR',
  state: 'rio_de_janeiro',
  city: 'São Paulo',
  isSticky: true,
  minutes: '30',
  count: '1000',
  format: 'template',
  template: '{country}|{user}|{pass}',
};
const SERVER = endpointServer();

test('default settings leave the address empty, and others are restored from it', () => {
  expect(addressOf(emptySettings()).toString()).toBe('');
  expect(settingsOf(addressOf(FULL))).toEqual(FULL);
});

test('invalid values in an address are ignored', () => {
  const wrong = 'ProxyUserId=x&Scheme=ftp&Country=united&Sticky=1&Format=nothing&UseWhitelist=perhaps';
  expect(settingsOf(new URLSearchParams(wrong))).toEqual(emptySettings());
});

test('the address and presets contain no password', () => {
  const request = requestOf(FULL, SERVER, proxyUser(7), 'k3yring99', 'monday');
  expect(JSON.stringify(request)).toContain('k3yring99');
  expect(`${addressOf(FULL)}${JSON.stringify(wireOf(FULL, SERVER))}`).not.toContain('k3yring99');
});

test('a preset produces the same list again', () => {
  const preset = wireOf(FULL, SERVER);
  const again = settingsOfWire(preset, { ...emptySettings(), proxyUserId: 7 });
  const list = (settings: Settings) =>
    screenRules().buildList(requestOf(settings, SERVER, proxyUser(7), 'k3yring99', 'monday'));
  expect(list(again)).toBe(list(FULL));
  expect(list(FULL).split('\n')[0]).toMatch(
    /^br\|user-scraper_7-country-br-state-rio_de_janeiro-city-sao_paulo-session-\w{8}-ttl-30\|k3yring99$/,
  );
});

test('whitelist endpoints have no user name, country or session', () => {
  const request = requestOf({ ...FULL, useWhitelist: true, format: 'url' }, SERVER, proxyUser(7), 'k3yring99', 's');
  expect(request.User).toBeUndefined();
  expect(screenRules().buildList({ ...request, Count: 1 })).toBe('socks5://gate.example:1080');
});

test('a line of curl requests the shop, so that it answers with the exit', () => {
  const settings: Settings = { ...emptySettings(), format: 'curl', count: '1' };
  const line = screenRules().buildList(requestOf(settings, SERVER, proxyUser(7), 'k3yring99', 's'));
  expect(line).toBe(
    `curl -x "http://user-scraper_7:k3yring99@gate.example:8000" ${window.location.origin}/api/SystemSettings/GetClientIp`,
  );
});

test("an invalid count or duration breaks its field's rule", () => {
  const wrong = { ...FULL, count: '1e3', minutes: 'ten' };
  const broken = () => {
    try {
      screenRules().buildList(requestOf(wrong, SERVER, proxyUser(7), 'k3yring99', 's'));
      return [];
    } catch (error) {
      return Object.keys((error as { fields: object }).fields).sort();
    }
  };
  expect(broken()).toEqual(['Count', 'User.TtlMinutes']);
});
