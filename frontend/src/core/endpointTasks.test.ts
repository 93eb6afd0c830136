// Endpoint lists as bytes: lines read at any position equal the lines of the text.
import { expect, test } from 'vitest';
import { screenRules } from '.';
import { buildEndpointList, convertEndpointList, ListError } from './endpointLists';
import { built, lineCount, linesOf, textOf } from './endpointTasks';

const REQUEST = {
  Scheme: 'http',
  Host: 'gate.example',
  Ports: [8000],
  User: { Name: 'ann', Country: 'us' },
  Password: 'k3yring99',
  Count: 100_000,
  Sticky: true,
  Seed: 'monday',
  Format: 'url' as const,
};

test.each(['', 'a', 'a\nb', 'the lines of %j are read back', '纽约\nb'])('the lines of %j are its lines', (text) => {
  const list = built(text);
  const lines = text === '' ? [] : text.split('\n');
  expect(lineCount(list)).toBe(lines.length);
  expect(linesOf(list, 0, 10)).toEqual(lines);
  expect(linesOf(list, 1, 1)).toEqual(lines.slice(1, 2));
  expect(textOf(list)).toBe(text);
});

test('a long list can be parsed again, and all of its sessions differ', async () => {
  const list = await buildEndpointList({ ...REQUEST, Count: 5_000 });
  expect(lineCount(list)).toBe(5_000);
  expect(linesOf(list, 4_999, 5)).toHaveLength(1);
  const read = screenRules().readEndpoints(textOf(list));
  expect(read.every((line) => line.Endpoint?.Password === 'k3yring99')).toBe(true);
  expect(new Set(read.map((line) => line.Endpoint?.UserName)).size).toBe(5_000);
});

test('a list can have 100,000 lines', async () => {
  expect(lineCount(await buildEndpointList(REQUEST))).toBe(100_000);
});

test('invalid settings are reported by field', async () => {
  const wrong = await buildEndpointList({ ...REQUEST, Count: 0 }).catch((error) => error);
  expect(wrong).toBeInstanceOf(ListError);
  expect(Object.keys(wrong.fields)).toEqual(['Count']);
});

test("another provider's lines are converted, and what has no equivalent is reported by line", async () => {
  const pasted = 'customer-ann-cc-US-asn-7922:pw@pr.oxylabs.io:7777\nnothing to read';
  const converted = await convertEndpointList(pasted, { Host: 'gate.example', Port: 8000 });
  expect(textOf(converted.list)).toBe('gate.example:8000:user-ann-country-us:pw');
  expect([converted.read, converted.lost]).toEqual([1, 1]);
  expect(converted.remarks.map((remark) => [remark.line, remark.isLost])).toEqual([
    [1, false],
    [2, true],
  ]);
});
