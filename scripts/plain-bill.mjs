// Takes what differs between two builds of the same commit out of a CycloneDX document: its serial number, its time, and the folder it was made in.
//   node scripts/plain-bill.mjs <bill.json >plain.json
import { readFileSync } from 'node:fs';

const here = process.cwd();
const { serialNumber, ...bill } = JSON.parse(readFileSync(0, 'utf8').replaceAll(here, '/postern'));
if (bill.metadata) delete bill.metadata.timestamp;
process.stdout.write(`${JSON.stringify(bill, null, 1)}\n`);
