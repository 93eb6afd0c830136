// Times what operators' screens ask of a large shop, and fails if one takes longer than the bound. Arguments: the address, an e-mail, a password.
const BOUND_MS = 300;
const TRIES = 5;
const [address, Email, Password] = process.argv.slice(2);

let Token = '';
async function ask(call, body = {}) {
  const begin = performance.now();
  const headers = { 'Content-Type': 'application/json', ...(Token && { Token }) };
  const response = await fetch(`${address}/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (answer.Code !== 1000) throw new Error(`${call} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
  return { ms: performance.now() - begin, data: answer.Data };
}

Token = (await ask('User/Login', { Email, Password })).data.Token;
const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const month = { StartTime: `${day(400)} 00:00:00`, EndTime: `${day(370)} 23:59:59` };
const [someone] = (await ask('Operator/GetAccountList', { Search: 'customer1400007@bench.example' })).data.Rows;
const AccountId = someone.AccountId;
const numbered = (await ask('Operator/GetOrderList', { Filter: { AccountId } })).data.Rows[0].Order.OrderNumber;

/** What each screen asks: when it is opened, paged, filtered, searched. */
const ASKED = [
  ['business, 30 days', 'Operator/GetBusiness', { Range: 'days30' }],
  ['business, 12 months', 'Operator/GetBusiness', { Range: 'months12' }],
  ['tasks', 'Operator/GetTaskList', {}],
  ['checklist', 'Operator/GetSetupStepList', {}],
  ['orders', 'Operator/GetOrderList', {}],
  ['orders, page 40', 'Operator/GetOrderList', { Page: 40 }],
  ['orders of a state', 'Operator/GetOrderList', { Filter: { State: 'fulfilled' } }],
  ['orders of a rare state', 'Operator/GetOrderList', { Filter: { State: 'partly_fulfilled' } }],
  ['orders of a month', 'Operator/GetOrderList', month],
  ['orders of an account', 'Operator/GetOrderList', { Filter: { AccountId } }],
  ['orders by number', 'Operator/GetOrderList', { Search: numbered }],
  ['orders by address', 'Operator/GetOrderList', { Search: someone.Email }],
  ['accounts', 'Operator/GetAccountList', {}],
  ['accounts by address', 'Operator/GetAccountList', { Search: 'customer14000' }],
  ['accounts of a level', 'Operator/GetAccountList', { Filter: { Level: 1 } }],
  ['an account', 'Operator/GetAccount', { AccountId }],
  ['transactions of an account', 'Operator/GetTransactionList', { AccountId }],
  ['payments', 'Operator/GetPaymentList', {}],
  ['transfers to confirm', 'Operator/GetPaymentList', { Filter: { PaymentMethod: 'transfer', State: 'pending' } }],
  ['payments by address', 'Operator/GetPaymentList', { Search: someone.Email }],
  ['payments of an account', 'Operator/GetPaymentList', { Filter: { AccountId } }],
  ['payments of a month', 'Operator/GetPaymentList', month],
  ['invoices', 'Operator/GetInvoiceList', {}],
  ['invoices of a month', 'Operator/GetInvoiceList', month],
  ['invoices by number', 'Operator/GetInvoiceList', { Search: 'INV-2020-1654322' }],
  ['inventory', 'Operator/GetInventory', {}],
  ['inventory in stock', 'Operator/GetInventory', { Filter: { State: 'available' } }],
  ['inventory by address', 'Operator/GetInventory', { Search: '100.64.77' }],
  ['stock', 'Operator/GetStock', {}],
  ['prices', 'Operator/GetPrices', {}],
  ['coupons', 'Operator/GetCouponList', {}],
  ['mails', 'Operator/GetMailList', {}],
  ['mails that failed', 'Operator/GetMailList', { Filter: { State: 'failed' } }],
  ['mails by address', 'Operator/GetMailList', { Search: someone.Email }],
  ['audit log', 'Operator/GetAuditLog', {}],
  ['audit log of an account', 'Operator/GetAuditLog', { Filter: { AccountId: 1_000_777 } }],
  ['conversations', 'Operator/GetConversationList', {}],
  ['referrals to review', 'Operator/GetReferralReviewList', {}],
  ['proxy servers', 'Operator/GetProxyServerList', {}],
  ['jobs', 'Operator/GetJobList', {}],
  ['callbacks', 'Order/GetCallbackList', {}],
];

let slow = 0;
for (const [name, call, body] of ASKED) {
  const times = [];
  for (let count = 0; count < TRIES; count++) times.push((await ask(call, body)).ms);
  times.sort((one, other) => one - other);
  const median = times[Math.floor(TRIES / 2)];
  if (median > BOUND_MS) slow++;
  const mark = median > BOUND_MS ? `  more than ${BOUND_MS} ms` : '';
  console.log(`${name.padEnd(30)} ${median.toFixed(0).padStart(6)} ms, at most ${times[TRIES - 1].toFixed(0)}${mark}`);
}
if (slow > 0) throw new Error(`${slow} answers take more than ${BOUND_MS} ms`);
