// What is measured, the same in Node and in a browser: `measure(core, endpoints)` returns rows of names, medians and bounds.
import { format as formatZoned, toZonedTime } from 'date-fns-tz';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { DateTime } from 'luxon';

dayjs.extend(utc);
dayjs.extend(timezone);

const ROWS = 10_000;
const LINES = 100_000;
const ZONES = ['Asia/Shanghai', 'America/New_York'];
const DAY = 86_400_000;

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

// Runs the two in turns, so that whatever else the machine does slows both; the ratio is the median of those of the turns.
function compare(one, other, times) {
  // What takes seconds needs no warming up.
  if (times > 3) for (const run of [one, other, one, other]) run();
  const turns = Array.from({ length: times }, () => [time(one), time(other)]);
  return {
    one: middle(turns.map(([first]) => first)),
    other: middle(turns.map(([, second]) => second)),
    ratio: middle(turns.map(([first, second]) => first / second)),
  };
}

// What an interceptor does that converts after parsing: every string that begins like a date.
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

const others = (zone) => ({
  'one reused Intl.DateTimeFormat': [oneFormatter(zone), 11],
  luxon: [(text) => DateTime.fromSQL(text, { zone: 'utc' }).setZone(zone).toFormat('yyyy-MM-dd HH:mm:ss'), 1],
  'date-fns-tz': [
    (text) => formatZoned(toZonedTime(instant(text), zone), 'yyyy-MM-dd HH:mm:ss', { timeZone: zone }),
    1,
  ],
  'dayjs utc().local()': [(text) => dayjs.utc(text).local().format('YYYY-MM-DD HH:mm:ss'), 3],
  'dayjs utc().tz()': [(text) => dayjs.utc(text).tz(zone).format('YYYY-MM-DD HH:mm:ss'), 1],
});

export function measure(core, endpoints) {
  const text = answer('shop A');
  const chinese = answer('甲店');
  const rows = [];
  for (const zone of ZONES) {
    const converted = JSON.parse(core.localizeResponse(text, zone));
    const expected = walk(JSON.parse(text), oneFormatter(zone));
    if (JSON.stringify(converted) !== JSON.stringify(expected))
      throw new Error(`another answer than Intl's in ${zone}`);

    const ours = () => JSON.parse(core.localizeResponse(text, zone));
    const group = `${ROWS} rows, ${zone}`;
    const { one, other, ratio } = compare(ours, () => JSON.parse(text), 31);
    rows.push({ group, name: 'JSON.parse alone', ms: other });
    rows.push({ group, name: 'localizeResponse, JSON.parse', ms: one, ratio, of: 'JSON.parse', most: 2 });
    const withChinese = compare(
      () => JSON.parse(core.localizeResponse(chinese, zone)),
      () => JSON.parse(chinese),
      15,
    );
    rows.push({
      group,
      name: 'the same with Chinese notes',
      ms: withChinese.one,
      ratio: withChinese.ratio,
      of: 'JSON.parse',
    });
    for (const [name, [convert, times]] of Object.entries(others(zone))) {
      const compared = compare(() => walk(JSON.parse(text), convert), ours, times);
      const least = name.includes('Intl') ? 3 : undefined;
      rows.push({ group, name, ms: compared.one, ratio: compared.ratio, of: 'ours', least });
    }
  }

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
  rows.push({ group, name: 'buildList, url', ms: median(() => endpoints.buildList(request), 11), mostMs: 100 });
  const nodes = Array.from({ length: LINES }, (_, index) => {
    const host = `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    return ['http', host, '8080', `user${index}`, `Xy7pQ2${index}`, 'US'].join('\t');
  }).join('\n');
  rows.push({ group, name: 'buildNodeList, url', ms: median(() => endpoints.buildNodeList(nodes, 'url'), 11), mostMs: 100 });
  return rows;
}
