// Prints a quote, a list of endpoints and localised rows: node wasm/examples/quote.mjs [en|zh], after scripts/wasm.sh build.
// In your own project, import from '@postern/core' and '@postern/core/screens' instead.
import { buildList } from '../pkg/screens-node.js';
import * as core from '../pkg/node.js';

const language = process.argv[2] === 'zh' ? 'zh' : 'en';
const money = (amount) => core.displayMoney(amount, 'USD');

const catalogue = core.defaultCatalogue();
const request = {
  VerStr: 'premium ISP proxies plan',
  PeriodDays: 90,
  Lines: [
    { Country: 'US', City: 'new-york', Quantity: 15 },
    { Country: 'DE', City: 'frankfurt', Quantity: 5 },
  ],
};
const quote = core.quote(request, catalogue);
for (const line of quote.Lines) {
  const place = `${core.cityName(line.City, language)}, ${core.countryName(line.Country, language)}`;
  console.log(`${line.Quantity} x ${place}: ${money(line.Amount)}`);
}
for (const discount of quote.Discounts) {
  console.log(`${discount.Kind} -${core.displayPercent(discount.BasisPoints)}: -${money(discount.Amount)}`);
}
console.log(`total: ${money(quote.Total)}`);

const list = {
  Scheme: 'http',
  Host: 'gate.example',
  Ports: [8000],
  User: { Name: 'ann', Country: 'us' },
  Password: 'secret',
  Count: 3,
  Sticky: true,
  Seed: 'the same seed gives the same sessions',
  Format: 'url',
};
console.log(buildList(list));

const answer =
  '{"Rows":[{"Ip":"198.18.0.7","ExpiresAt":"2026-03-08 06:59:59"},{"Ip":"198.18.0.8","ExpiresAt":"2026-03-08 07:00:00"}]}';
for (const row of JSON.parse(core.localizeResponse(answer, 'America/New_York')).Rows)
  console.log(row.Ip, row.ExpiresAt);

try {
  core.quote({ ...request, PeriodDays: 31 }, catalogue);
} catch (error) {
  console.log(`${error.name} ${error.code}: ${JSON.stringify(error.fields)}`);
}
