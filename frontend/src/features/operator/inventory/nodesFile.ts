// The file of an import: its columns, and an example to fill in.
import { INVENTORY_COLUMNS, REQUIRED_INVENTORY_COLUMNS } from '@/core/constants.gen';
import { saveFile } from '@/ui/saveFile';

/** The columns to fill in; the state is exported only. */
export const COLUMNS = INVENTORY_COLUMNS.filter((name) => name !== 'state');

type ColumnName = (typeof COLUMNS)[number];

export const isRequired = (name: ColumnName): boolean => REQUIRED_INVENTORY_COLUMNS.some((one) => one === name);

const EXAMPLE: Record<ColumnName, string> = {
  ip: '198.51.100.7',
  http_port: '8000',
  socks5_port: '1080',
  country: 'US',
  city: 'new-york',
  isp: 'Example Fiber',
  asn: 'AS64500',
  ver_str: '',
  targets: '',
  supplier: 'Example Supplier',
  cost: '1.20',
  server: '',
};

/** Saves a file with one line, for a tier of the shop. */
export function saveExample(verStr: string): void {
  const cells = COLUMNS.map((name) => (name === 'ver_str' ? verStr : EXAMPLE[name]));
  const text = [COLUMNS, cells].map((line) => `${line.join(',')}\r\n`).join('');
  saveFile(new File([text], 'inventory-example.csv', { type: 'text/csv' }));
}
