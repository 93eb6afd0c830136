// A tour through the operators' screens of the business, payments and their cases, disputes and refunds, exchange rates, invoices, the inventory, prices, coupons, announcements, mails and the system, and their dialogs.
import type { Page } from 'playwright-core';
import type { Schemas } from '../src/api/client';
import { ask, makeTransfers, sessionOf } from './prepare';
import type { Shop } from './shop';
import { leavesDialog, opener, type Tour, textsOf } from './tour';

const DAY_MS = 86_400_000;

/** A time as the API writes it. */
const wireTime = (time: Date) => time.toISOString().replace('T', ' ').slice(0, 'YYYY-MM-DD HH:mm:ss'.length);

/** Plans another price of the first plan; returns what cancels it. Through the API, whose results show no toasts. */
async function planPrice(shop: Shop): Promise<() => Promise<void>> {
  const operator = await sessionOf(shop, 'operator@example.com');
  const { Prices } = await ask<Schemas['PriceList']>(shop, 'Operator/GetPrices', {}, operator);
  const VerStr = Prices.Catalogue.Tiers[0]?.VerStr;
  const ValidFrom = wireTime(new Date(shop.now().getTime() + 40 * DAY_MS));
  const form = { Action: 'set_tier', VerStr, Price: '9.99', ValidFrom };
  await ask(shop, 'Operator/ChangePrice', form, operator);
  const { Planned } = await ask<Schemas['PriceList']>(shop, 'Operator/GetPrices', {}, operator);
  return async () => {
    for (const { PlanId } of Planned) await ask(shop, 'Operator/CancelPriceChange', { PlanId }, operator);
  };
}

/** What the parts of the tour do on the screen, by the keys of a namespace. */
function visitor(tour: Tour, namespace: string) {
  const { page } = tour;
  const t = textsOf(tour, namespace);
  const common = textsOf(tour, 'common');
  const dialog = page.getByRole('dialog');
  return {
    t,
    common,
    dialog,
    leaves: () => leavesDialog(tour),
    presses: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    /** Presses the first button with a label about anything. */
    pressesFirst: (key: string) =>
      page
        .getByRole('button', { name: aboutAny(t(key)) })
        .first()
        .click(),
    switchesTo: (key: string) => page.getByRole('radio', { name: t(key), exact: true }).check(),
    /** Presses the button of the dialog, which then has an error. */
    isRefused: async (name: string) => {
      await dialog.getByRole('button', { name, exact: true }).click();
      await dialog.getByRole('alert').first().waitFor();
    },
  };
}

/** The rows of a list of operators, which the demo does not have. */
const answerWithRows = (page: Page, call: string, Rows: object[]) =>
  page.route(`**/api/Operator/${call}`, (route) => {
    const Data = { Rows, Total: Rows.length, TotalIsAtLeast: false, Page: 1, PageSize: 50 };
    return route.fulfill({ json: { Code: 1000, Message: '', Data } });
  });

/** Cases of payments, an open and a closed one, which the demo does not have: no gateway of it takes another amount than is due. */
export async function answerWithCases(page: Page): Promise<void> {
  const open: Schemas['PaymentCaseView'] = {
    CaseId: 2,
    Kind: 'other_amount',
    Gateway: 'btcpay',
    Subject: '2611-0002',
    PaymentId: '2611-0002',
    OrderId: 1,
    OrderNumber: 'PO23456789AB',
    AccountId: 2,
    Email: 'customer@example.com',
    Currency: 'USD',
    Due: '25.00',
    Credited: '12.50',
    Reported: '12.50',
    ReportedCurrency: 'USD',
    OpenedAt: '2026-11-20 02:00:00',
    Note: '',
  };
  const done = { CaseId: 1, ClosedAt: '2026-11-21 02:00:00', ClosedBy: 'operator@example.com', Note: 'Told' };
  await answerWithRows(page, 'GetPaymentCaseList', [open, { ...open, ...done }]);
}

/** Money that went back: a dispute to answer, a refund at the gateway, a payment that is valid again, and refunds of the shop's. */
export async function answerWithReturns(page: Page): Promise<void> {
  const dispute: Schemas['PaymentReturnView'] = {
    ReturnId: 3,
    Kind: 'dispute',
    State: 'open',
    Gateway: 'stripe',
    PaymentId: '2611-0003',
    OrderId: 1,
    OrderNumber: 'PO23456789AB',
    AccountId: 2,
    Email: 'customer@example.com',
    Currency: 'USD',
    Taken: '25.00',
    Reported: '25.00',
    ReportedCurrency: 'USD',
    Reason: 'fraudulent',
    DueAt: wireTime(new Date(Date.now() + 9 * DAY_MS)),
    OpenedAt: '2026-11-20 02:00:00',
    ChangedAt: '2026-11-20 02:00:00',
    Owed: '12.50',
    Reference: 'dp_3',
    Trouble: '',
    CanBeSettled: false,
  };
  const done = { Reason: '', DueAt: null };
  await answerWithRows(page, 'GetPaymentReturnList', [
    dispute,
    { ...dispute, ...done, ReturnId: 2, Kind: 'refund', State: 'final' },
    { ...dispute, ...done, ReturnId: 1, Kind: 'invalid', State: 'undone', Taken: '0.00', Gateway: 'btcpay' },
    { ...dispute, ...done, ReturnId: 4, Kind: 'by_shop', Progress: 'to_be_claimed', Gateway: 'btcpay', Owed: '0.00' },
    {
      ...dispute,
      ...done,
      ReturnId: 5,
      Kind: 'by_shop',
      Progress: 'by_hand',
      Gateway: 'epay',
      Owed: '0.00',
      Reference: '',
      Trouble: 'https://pay.example does not answer',
      CanBeSettled: true,
    },
  ]);
}

const aboutAny = (text: string) => new RegExp(`^${text.replace(/{{\w+}}/, '.+')}$`);

/** An operator is signed in, and the shop accepts bank transfers. */
export async function sellerTour(tour: Tour): Promise<void> {
  await paymentsTour(tour);
  await inventoryTour(tour);
  await pricesTour(tour);
  await couponsTour(tour);
  await announcementsTour(tour);
  await machineryTour(tour);
}

/** The first screen, and those of mails, jobs and backups. */
async function machineryTour(tour: Tour): Promise<void> {
  const { page, show } = tour;
  const { switchesTo, t } = visitor(tour, 'mails');
  const business = visitor(tour, 'business').t;
  const system = visitor(tour, 'system').t;
  await opener(tour)('/operator/business');
  await page.getByRole('heading', { name: business('today.title') }).waitFor();
  await page.getByRole('table').first().waitFor({ state: 'attached' });
  await show('business');
  await opener(tour)('/operator/mails');
  await page.getByRole('radio', { name: t('view.list'), exact: true }).waitFor();
  await show('mails');
  await switchesTo('view.texts');
  // As plain text: a frame without scripts refuses those of checks.
  await switchesTo('form.text');
  await show('mail-texts');
  await opener(tour)('/operator/system');
  await page.getByRole('heading', { name: system('backups.title') }).waitFor();
  await show('system');
  await page.getByRole('button', { name: system('health.start'), exact: true }).click();
  await page.getByRole('button', { name: system('health.again'), exact: true }).waitFor();
  await show('system-examined');
}

async function paymentsTour(tour: Tour): Promise<void> {
  const { page, shop, show } = tour;
  const { t, common, dialog, leaves, presses, switchesTo, isRefused } = visitor(tour, 'payments');
  const OrderNumber = await makeTransfers(shop);
  await opener(tour)('/operator/payments');
  await page.getByRole('link', { name: OrderNumber }).waitFor();
  await show('payments');
  await switchesTo('view.transfers');
  await page.getByRole('button', { name: t('confirm.openOf', { OrderNumber }), exact: true }).waitFor();
  await show('transfers');
  await presses(t('confirm.openOf', { OrderNumber }));
  await dialog.getByLabel(t('confirm.received', { Currency: 'USD' }), { exact: true }).fill('49.98');
  await dialog.getByText(t('confirm.less', { Difference: '$0.02' })).waitFor();
  await show('transfer-confirm');
  await leaves();
  await switchesTo('view.callbacks');
  const callback = page.getByTitle(t('callbacks.open')).filter({ visible: true }).first();
  await callback.waitFor();
  await show('callbacks');
  await callback.click();
  await dialog.waitFor();
  await show('callback');
  await leaves();
  await answerWithCases(page);
  await switchesTo('view.cases');
  const cases = page.getByTitle(t('cases.show')).filter({ visible: true });
  await cases.first().waitFor();
  await show('cases');
  for (const [index, name] of ['case', 'case-closed'].entries()) {
    await cases.nth(index).click();
    await dialog.waitFor();
    await show(name);
    await leaves();
  }
  await page.unroute('**/api/Operator/GetPaymentCaseList');
  await answerWithReturns(page);
  await switchesTo('view.returns');
  await page
    .getByRole('button', { name: aboutAny(t('returns.saveEvidence')) })
    .first()
    .waitFor();
  await show('returns');
  await page
    .getByRole('button', { name: aboutAny(t('returns.settle.openOf')) })
    .first()
    .click();
  await dialog.getByRole('radio', { name: t('returns.settle.sent') }).waitFor();
  await show('refund-settle');
  await dialog.getByRole('radio', { name: t('returns.settle.notSent') }).check();
  await show('refund-not-sent');
  await leaves();
  await presses(t('returns.trouble'));
  await dialog.waitFor();
  await show('refund-trouble');
  await leaves();
  await page.unroute('**/api/Operator/GetPaymentReturnList');
  await switchesTo('view.rates');
  const setRate = page.getByRole('button', { name: t('rates.setOf', { Currency: 'CNY' }), exact: true });
  await setRate.waitFor();
  await show('exchange-rates');
  await setRate.click();
  await isRefused(common('save'));
  await show('exchange-rate');
  await dialog.getByRole('radio', { name: t('rates.mode.feed') }).check();
  await dialog.getByLabel(t('rates.url'), { exact: true }).fill('http://rates.example');
  await isRefused(common('save'));
  await show('exchange-rate-feed');
  await leaves();

  await opener(tour)('/operator/invoices');
  await page.getByRole('button', { name: /INV-/ }).first().waitFor();
  await show('operator-invoices');
  await presses(t('month.open'));
  await dialog.getByText(t('month.documents')).waitFor();
  await show('month-export');
  await leaves();
}

const WRONG_FILE = ['ip,http_port,country,city,isp,asn,ver_str', '198.51.100.2,x,US,nowhere,Northlight,64500,gold'];

async function inventoryTour(tour: Tour): Promise<void> {
  const { page, show } = tour;
  const { t, common, dialog, leaves, presses, pressesFirst, switchesTo, isRefused } = visitor(tour, 'inventory');
  const begins = async (action: string) => {
    await pressesFirst('actionsOf');
    await page.getByRole('menuitem', { name: t(`action.${action}`), exact: true }).click();
    await dialog.waitFor();
  };
  await opener(tour)('/operator/inventory?State=assigned');
  await page
    .getByRole('button', { name: aboutAny(t('actionsOf')) })
    .first()
    .waitFor();
  await show('inventory');
  await begins('edit');
  await dialog.getByLabel(t('edit.httpPort'), { exact: true }).fill('8001');
  await show('inventory-edit');
  await leaves();
  await begins('replace');
  await dialog.getByRole('radio', { name: t('replace.chosen') }).check();
  const spare = dialog
    .getByText(/^[\d.]+$/)
    .filter({ visible: true })
    .first();
  await spare.waitFor();
  await dialog.getByRole('checkbox').first().check();
  await isRefused(t('replace.submitWith', { Ip: await spare.innerText() }));
  await show('inventory-replace');
  await leaves();
  // On a wide screen the first checkbox is the header's.
  const boxes = page.getByRole('main').getByRole('checkbox');
  await boxes.nth(1).check();
  await boxes.nth(2).check();
  // The bar's menu holds the actions for which it has no room.
  const retire = page.getByRole('toolbar').getByRole('button', { name: t('action.retire'), exact: true });
  if (await retire.isVisible()) await retire.click();
  else {
    await presses(t('actions'));
    await page.getByRole('menuitem', { name: t('action.retire'), exact: true }).click();
  }
  await dialog.waitFor();
  await show('inventory-retire');
  await leaves();
  // The bar covers the choice of the view.
  await presses(common('selectNone'));

  await switchesTo('view.stock');
  await page.getByRole('searchbox', { name: t('stock.search') }).waitFor();
  await page.getByRole('main').getByRole('link').first().waitFor();
  await show('stock');
  await switchesTo('view.useCases');
  await page.getByRole('button', { name: t('useCases.add.open'), exact: true }).waitFor();
  await page.getByRole('main').getByRole('link').first().waitFor();
  await show('use-cases');
  await presses(t('useCases.add.open'));
  await dialog.getByLabel(t('useCases.key'), { exact: true }).fill('two words.example');
  await isRefused(t('useCases.add.submit'));
  await show('use-case-add');
  await leaves();
  await page
    .getByRole('button', { name: aboutAny(t('useCases.actionsOf')) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('useCases.delete'), exact: true }).click();
  await dialog.waitFor();
  await show('use-case-delete');
  await leaves();
  await switchesTo('view.stock');
  await presses(t('import.open'));
  await dialog.getByText('http_port').waitFor();
  await show('import');
  const buffer = Buffer.from(WRONG_FILE.join('\n'));
  await dialog.locator('input[type="file"]').setInputFiles({ name: 'nodes.csv', mimeType: 'text/csv', buffer });
  await dialog.getByRole('region', { name: t('import.wrongCells') }).waitFor();
  await show('import-wrong');
  await leaves();
}

async function pricesTour(tour: Tour): Promise<void> {
  const { page, shop, show } = tour;
  const { t, common, dialog, leaves, presses, pressesFirst, switchesTo, isRefused } = visitor(tour, 'prices');
  const cancels = await planPrice(shop);
  await opener(tour)('/operator/prices');
  await page.getByLabel(t('preview.when'), { exact: true }).selectOption({ index: 1 });
  await page
    .getByRole('table', { name: t('preview.title'), exact: true })
    .locator('s')
    .first()
    .waitFor();
  await show('prices');
  await pressesFirst('editOf');
  await dialog.getByLabel(t('field.price', { Currency: 'USD' }), { exact: true }).fill('0');
  await dialog.getByRole('radio', { name: t('when.later') }).check();
  await isRefused(t('dialog.plan'));
  await show('price-change');
  await leaves();
  await pressesFirst('removeOf');
  await dialog.waitFor();
  await show('price-remove');
  await leaves();
  await page
    .getByRole('list', { name: t('planned.title'), exact: true })
    .getByRole('button')
    .first()
    .click();
  await dialog.waitFor();
  await show('planned-price');
  await leaves();
  await cancels();

  await switchesTo('views.traffic');
  await page.getByRole('button', { name: t('add.traffic'), exact: true }).waitFor();
  await show('prices-traffic');
  await presses(t('add.traffic'));
  await isRefused(common('save'));
  await show('price-add');
  await leaves();

  await switchesTo('views.limits');
  await page.getByRole('button', { name: t('hold.add'), exact: true }).waitFor();
  await show('limits');
  await pressesFirst('editOf');
  await dialog.getByLabel(t('limits.mostOf'), { exact: true }).fill('many');
  await isRefused(common('save'));
  await show('limit-change');
  await leaves();
  await presses(t('hold.add'));
  await isRefused(t('hold.submit'));
  await show('hold-step-add');
  await leaves();
  await pressesFirst('removeOf');
  await dialog.waitFor();
  await show('hold-step-remove');
  await leaves();
}

async function couponsTour(tour: Tour): Promise<void> {
  const { page, show } = tour;
  const { t, dialog, leaves, presses, isRefused } = visitor(tour, 'coupons');
  const end = t('end.of', { Code: 'WELCOME10' });
  await opener(tour)('/operator/coupons');
  await page.getByRole('button', { name: end, exact: true }).waitFor();
  await show('coupons');
  await presses(t('add.open'));
  await isRefused(t('add.submit'));
  await show('coupon-add');
  await leaves();
  await presses(end);
  await dialog.waitFor();
  await show('coupon-end');
  await leaves();
}

/** Nothing is published: texts cannot be taken back, and other journeys would be asked to accept them. */
async function announcementsTour(tour: Tour): Promise<void> {
  const { page, show } = tour;
  const { t, dialog, leaves, pressesFirst, switchesTo, isRefused } = visitor(tour, 'announcements');
  await opener(tour)('/operator/announcements');
  await page
    .getByRole('button', { name: t('list.add'), exact: true })
    .first()
    .waitFor();
  await page.getByRole('main').getByRole('status').first().waitFor({ state: 'detached' });
  await show('announcements');
  await pressesFirst('list.add');
  await dialog.getByLabel(t('form.textZh'), { exact: true }).fill('周日维护');
  await dialog.getByLabel(t('form.link'), { exact: true }).fill('news');
  await isRefused(t('form.publish'));
  await show('announcement-add');
  await leaves();
  await switchesTo('view.legal');
  const write = page.getByRole('link', { name: t('legal.firstOf', { Kind: t('kind.terms') }), exact: true });
  await write.waitFor();
  await show('legal-texts');
  await write.click();
  await page
    .getByLabel(t('write.bodyEn'), { exact: true })
    .fill('# Payment\n\nYou pay shop.example first.\n\n- No spam by shop.example');
  await show('legal-text-write');
  await switchesTo('write.preview');
  await page.getByRole('heading', { name: 'Payment' }).waitFor();
  await show('legal-text-preview');
  await page.getByRole('button', { name: t('write.discard'), exact: true }).click();
  await dialog.getByRole('button', { name: t('write.discard'), exact: true }).click();
  await write.waitFor();
}
