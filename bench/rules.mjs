// The benchmarks, for Node and browsers: each function returns rows of names, medians and bounds.
import { format as formatZoned, toZonedTime } from 'date-fns-tz';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { DateTime } from 'luxon';

dayjs.extend(customParseFormat);
dayjs.extend(utc);
dayjs.extend(timezone);

const ROWS = 10_000;
const LINES = 100_000;
const DAY = 86_400_000;
// Minimum speed relative to a well-written page, which reuses one formatter.
const LEAST = { 'one reused Intl.DateTimeFormat': 4 };

function answer(note) {
  const wire = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
  const first = Date.UTC(2026, 8, 1);
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    NodeId: 100_000 + index,
    Ip: `198.18.${index >> 8}.${index & 255}`,
    HttpPort: 8_000 + (index % 1_000),
    Protocols: 'http,socks5',
    UserName: `user${index}`,
    Password: `Xy7pQ2${(index * 7_919).toString(36)}`,
    Country: 'US',
    City: 'los-angeles',
    Note: index % 10 ? '' : note,
    AssignedAt: wire(first + index * 61_000),
    ExpiresAt: wire(first + 60 * DAY + index * 61_000),
    UpdatedAt: wire(first + index * 397_000),
  }));
  return JSON.stringify({ Code: 1000, Message: '', Data: { Rows: rows, Total: ROWS } });
}

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function time(run) {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}

function median(run, times) {
  run();
  run();
  return middle(Array.from({ length: times }, () => time(run)));
}

// Alternates the two, so that other load slows both; the ratio is the median of the rounds' ratios.
function compare(one, other, times) {
  // Runs that take seconds need no warm-up.
  if (times > 3) for (const run of [one, other, one, other]) run();
  const turns = Array.from({ length: times }, () => [time(one), time(other)]);
  return {
    one: middle(turns.map(([first]) => first)),
    other: middle(turns.map(([, second]) => second)),
    ratio: middle(turns.map(([first, second]) => first / second)),
  };
}

// Like an interceptor that converts after parsing: every string that begins like a date.
function walk(value, convert) {
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === 'string') {
      if (inner.length >= 8 && /^\d{4}-\d{2}-\d{2}/.test(inner)) value[key] = convert(inner);
    } else if (inner && typeof inner === 'object') walk(inner, convert);
  }
  return value;
}

const instant = (text) => new Date(`${text.replace(' ', 'T')}Z`);

function oneFormatter(zone) {
  const formatter = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (text) => formatter.format(instant(text));
}

// Like ours, this only converts strings that match a format.
const FORMATS = ['YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DDTHH:mm:ss', 'YYYY-MM-DD HH:mm:ss.SSS'];
const localByDayjs = (text) => dayjs.utc(text).local().format('YYYY-MM-DD HH:mm:ss');

const others = (zone) => ({
  'one reused Intl.DateTimeFormat': [oneFormatter(zone), 11],
  luxon: [(text) => DateTime.fromSQL(text, { zone: 'utc' }).setZone(zone).toFormat('yyyy-MM-dd HH:mm:ss'), 1],
  'date-fns-tz': [
    (text) => formatZoned(toZonedTime(instant(text), zone), 'yyyy-MM-dd HH:mm:ss', { timeZone: zone }),
    1,
  ],
  'dayjs, checked by formats': [(text) => (dayjs(text, FORMATS, true).isValid() ? localByDayjs(text) : text), 1],
  'dayjs utc().local()': [localByDayjs, 3],
  'dayjs utc().tz()': [(text) => dayjs.utc(text).tz(zone).format('YYYY-MM-DD HH:mm:ss'), 1],
});

/**
 * From the bytes of a response to objects with local times. The zone must be that of the process or page, because some of the
 * libraries support no other. `most` is the maximum time relative to the same without times.
 */
export function measureZone(core, zone, most) {
  if (Intl.DateTimeFormat().resolvedOptions().timeZone !== zone) throw new Error(`not running in ${zone}`);
  const decoder = new TextDecoder();
  const rows = [];
  const group = `${ROWS} rows, ${zone}`;
  for (const [script, note] of Object.entries({ ASCII: 'shop A', Chinese: '甲店' })) {
    const bytes = new TextEncoder().encode(answer(note));
    const ours = () => JSON.parse(core.localizeResponse(bytes, zone));
    const parsed = () => JSON.parse(decoder.decode(bytes));
    const expected = JSON.stringify(walk(parsed(), oneFormatter(zone)));
    if (JSON.stringify(ours()) !== expected) throw new Error(`result differs from Intl's in ${zone}`);

    const { one, other, ratio } = compare(ours, parsed, 31);
    rows.push(
      { group, name: `${script}: decoding, JSON.parse`, ms: other },
      { group, name: `${script}: localizeResponse, JSON.parse`, ms: one, ratio, of: 'without times', most },
    );
    if (script !== 'ASCII') continue;
    for (const [name, [convert, times]] of Object.entries(others(zone))) {
      const walked = () => walk(parsed(), convert);
      if (JSON.stringify(walked()) !== expected) throw new Error(`result of ${name} differs in ${zone}`);
      const compared = compare(walked, ours, times);
      rows.push({ group, name, ms: compared.one, ratio: compared.ratio, of: 'ours', least: LEAST[name] });
    }
  }
  return rows;
}

/** Lists of endpoints. */
export function measureLists(endpoints) {
  const request = {
    Scheme: 'http',
    Host: 'gate.example',
    Ports: [8000],
    User: { Name: 'ann', Country: 'us' },
    Password: 'secret',
    Count: LINES,
    Sticky: true,
    Seed: 'bench',
    Format: 'url',
  };
  const group = `${LINES} endpoint lines`;
  const nodes = Array.from({ length: LINES }, (_, index) => {
    const host = `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    return ['http', host, '8080', `user${index}`, `Xy7pQ2${index}`, 'US'].join('\t');
  }).join('\n');
  return [
    { group, name: 'buildList, url', ms: median(() => endpoints.buildList(request), 11), mostMs: 100 },
    { group, name: 'buildNodeList, url', ms: median(() => endpoints.buildNodeList(nodes, 'url'), 11), mostMs: 100 },
  ];
}
