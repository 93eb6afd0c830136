// A mixed load: customers look at lists, ask for prices and buy, an operator watches, visitors open pages.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, call } from './shop.mjs';

/** What is done, and how often. */
const MIX = [
  ['Ips/GetUserNodeList', 4],
  ['Order/QuoteOrder', 3],
  ['Order/GetOrderList', 2],
  ['User/GetWallet', 2],
  ['Order/CreateOrder', 1],
  ['Operator/GetOrderList', 1],
  ['/login', 1],
];
const WHOLE = MIX.flatMap(([name, weight]) => Array(weight).fill(name));
const PAUSE_MS = 20;

export class Load {
  static start(options) {
    return new Load(options);
  }

  constructor({ customer, boss, order, workers, pause = PAUSE_MS }) {
    Object.assign(this, { customer, boss, order, pause, orders: 0, failures: [], times: new Map(), lost: [], isOver: false });
    this.workers = Array.from({ length: workers }, (_, number) => this.works(number));
  }

  async works(number) {
    for (let turn = number; !this.isOver; turn += 1) {
      const name = WHOLE[(turn * 5) % WHOLE.length];
      const began = performance.now();
      try {
        await this.does(name);
        this.note(name, performance.now() - began);
      } catch (error) {
        this.failures.push({ call: name, began, error: `${error}` });
      }
      await sleep(this.pause);
    }
  }

  note(name, took) {
    const times = this.times.get(name) ?? [];
    times.push(took);
    this.times.set(name, times);
  }

  async does(name) {
    if (name === '/login') {
      const { status } = await ask(name, { method: 'GET' });
      if (status !== 200) throw new Error(`${name}: ${status}`);
      return;
    }
    if (name === 'Order/CreateOrder') {
      const key = `play-${process.pid}-${performance.now()}`.replace('.', '-');
      this.orders += 1;
      await call(name, this.order, this.customer, 'POST', key).catch((error) => {
        this.lost.push(key);
        throw error;
      });
      return;
    }
    const body = { 'Order/QuoteOrder': { ...this.order, Coupon: null, ExpectedTotal: undefined, PayFromWallet: undefined } }[name] ?? { Page: 1, PageSize: 20 };
    await call(name, name === 'User/GetWallet' ? {} : body, name.startsWith('Operator/') ? this.boss : this.customer);
  }

  /** Prints, once a minute, the memory of the servers, what waits in queues, and what failed; at the end how fast the memory grows. */
  async watch(milliseconds, memoryOf, metrics) {
    const memory = [];
    for (const end = Date.now() + milliseconds; Date.now() < end; ) {
      await sleep(Math.min(60_000, end - Date.now()));
      const megabytes = await memoryOf();
      memory.push(megabytes);
      const page = await fetch(metrics).then((answer) => answer.text());
      const waiting = [...page.matchAll(/^postern_queue_items\{queue="(\w+)"\} (\d+)/gm)].map(([, queue, items]) => `${queue} ${items}`);
      console.log(`          memory ${megabytes.map((value) => value.toFixed(0)).join(', ')} MB; waiting: ${waiting.join(', ')}; ${this.failures.length} failures`);
    }
    // The first third warms caches up.
    const later = memory.slice(Math.floor(memory.length / 3));
    for (const index of later[0]?.keys() ?? []) console.log(`          server ${index}: ${slope(later.map((row) => row[index])).toFixed(3)} MB a minute`);
  }

  /** Ends it: an order that failed is sent again under its key, as a client does. Tells the times. */
  async ends(name) {
    this.isOver = true;
    await Promise.all(this.workers);
    for (const key of this.lost) await call('Order/CreateOrder', this.order, this.customer, 'POST', key);
    const all = [...this.times.values()].flat();
    console.log(`          ${name}: ${all.length} answers, ${this.failures.length} failures; ${of(all)}`);
    for (const [call, times] of this.times) console.log(`            ${call}: ${of(times)}`);
    return { failures: this.failures, orders: this.orders };
  }
}

function of(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

/** The slope of a line through values at equal distances. */
function slope(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  const above = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const below = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return below ? above / below : 0;
}
