// Doubles of Stripe, of a BTCPay Server and of an EPay gateway, whose pages have buttons for what customers, banks and sellers do there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './demoShop';
import { freePort } from './shop';

const DOUBLES = process.env.POSTERN_GATEWAY_DOUBLES ?? join(ROOT, 'target/debug/examples/gateway_doubles');

interface Gateways {
  /** Of a shop that uses them. */
  settings: Record<string, string>;
  stripeUrl: string;
  close: () => Promise<void>;
}

/** Starts all for the shop at this address. */
export async function openGateways(shopUrl: string): Promise<Gateways> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const doubles = spawn(DOUBLES, [...ports.map(String), shopUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(doubles, 'exit');
  const told = once(createInterface({ input: doubles.stdout }), 'line');
  const [line] = await Promise.race([told, gone.then(() => [])]);
  if (typeof line !== 'string') throw new Error(`the gateways have ended: are the ports ${ports.join(', ')} in use?`);
  const { Settings: settings, StripeUrl: stripeUrl } = JSON.parse(line);
  return {
    settings,
    stripeUrl,
    close: async () => {
      doubles.kill('SIGTERM');
      await gone;
    },
  };
}
