// Buys an IP with the client generated from the OpenAPI document by @hey-api/openapi-ts: buy.js URL ADDRESS PASSWORD.
import assert from 'node:assert/strict';
import {
  ipsGetCountryList,
  ipsGetUserNodeList,
  orderCreateOrder,
  orderQuoteOrder,
  userGetWallet,
  userLogin,
} from './postern-api';
import { client } from './postern-api/client.gen';
import type { Refusal } from './postern-api/types.gen';

const REGULAR = 'shared ISP proxies plan';
const [baseUrl = '', Email = '', Password = ''] = process.argv.slice(2);

/** The data of a successful response. */
function dataOf<A extends { Code: 1000; Data: unknown }>(sent: { data?: A | Refusal }): A['Data'] {
  const answer = sent.data;
  assert(answer?.Code === 1000, `refused: ${JSON.stringify(sent)}`);
  return (answer as A).Data;
}

async function main(): Promise<void> {
  client.setConfig({ baseUrl });
  const wrong = (await userLogin({ body: { Email, Password: `${Password}x` } })).data;
  assert(wrong?.Code === 3333 && wrong.Data?.Key === 'signInFailed', JSON.stringify(wrong));
  client.setConfig({ auth: "nobody's" });
  assert.equal((await userGetWallet()).response?.status, 401);
  const { Token } = dataOf(await userLogin({ body: { Email, Password } }));
  client.setConfig({ auth: Token });
  const before = dataOf(await userGetWallet()).WalletBalance;

  const countries = dataOf(await ipsGetCountryList({ body: { VerStr: REGULAR } }));
  const places = countries.flatMap(({ Country, Cities }) => Cities.map(({ City, Stock }) => ({ Country, City, Stock })));
  const place = places.find(({ Stock }) => Stock > 0);
  assert(place);
  const wanted = {
    VerStr: REGULAR,
    PeriodDays: 30,
    Lines: [{ Country: place.Country, City: place.City, Quantity: 1 }],
  };
  const quote = dataOf(await orderQuoteOrder({ body: wanted }));
  const order = {
    body: { ...wanted, ExpectedTotal: quote.Total, PayFromWallet: true },
    headers: { 'Idempotency-Key': 'typescript-1' },
  };
  const bought = dataOf(await orderCreateOrder(order));
  assert.equal(bought.State, 'fulfilled');
  assert.equal(dataOf(await orderCreateOrder(order)).OrderId, bought.OrderId, 'the same key bought twice');

  const nodes = dataOf(await ipsGetUserNodeList({ body: { Page: 1 } }));
  assert(nodes.Total >= 1 && nodes.Rows[0]?.Ip);
  const after = dataOf(await userGetWallet()).WalletBalance;
  console.log(
    `TypeScript: bought for ${bought.Total} in ${place.City}, the wallet went from ${before} to ${after}, ${nodes.Total} nodes`,
  );
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
