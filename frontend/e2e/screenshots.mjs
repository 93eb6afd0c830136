// Screenshots of every screen in four widths, both languages, light and dark, with an index page; reports what overflows, is
// cut off or not translated. With a name, only screens of that name: node e2e/screenshots.mjs wallet
// WIDTHS=360,1280 LANGUAGES=zh THEMES=dark takes fewer.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'vite';
import { writeIndex } from './screenshotIndex.mjs';

const vite = await createServer({
  configFile: false,
  server: { middlewareMode: true },
  optimizeDeps: { noDiscovery: true },
});
const { setup } = await vite.ssrLoadModule('/e2e/demoShop.ts');
const { signIn } = await vite.ssrLoadModule('/e2e/prepare.ts');
const { Shop, openBrowser, visit, texts } = await vite.ssrLoadModule('/e2e/shop.ts');
const {
  accountTour,
  billingTour,
  chatTour,
  comesAs,
  conversationsTour,
  EVERYTHING,
  notificationsTour,
  OPEN_SCREENS,
  operatorTour,
  resellerTour,
  SCREENS,
  searchTour,
  webhooksTour,
} = await vite.ssrLoadModule('/e2e/screens.ts');
const { sellerTour } = await vite.ssrLoadModule('/e2e/sellerScreens.ts');
const { MOBILE_MAX_WIDTH } = await vite.ssrLoadModule('/src/core/constants.gen.ts');
const folder = new URL('./screenshots/', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

const only = process.argv[2];
/** The requested values, or all. */
const wanted = (variable, all) => process.env[variable]?.split(',') ?? all;
const WIDTHS = wanted('WIDTHS', ['1600', '1280', '768', '360']).map(Number);
const LANGUAGES = wanted('LANGUAGES', ['en', 'zh']);
const THEMES = wanted('THEMES', ['light', 'dark']);
const PHONE_HEIGHT = 780;
const removeDemo = setup();
const shop = await Shop.open(EVERYTHING);
const browser = await openBrowser();
let problems = 0;

function report(name, problem) {
  problems += 1;
  console.log(`${name}: ${problem}`);
}

/** English texts with a different Chinese one: none may appear on a Chinese screen. */
const ENGLISH = new Set(
  readdirSync(new URL('../../locales/en/', import.meta.url)).flatMap((file) => {
    const read = (language) =>
      JSON.parse(readFileSync(new URL(`../../locales/${language}/${file}`, import.meta.url), 'utf8'));
    const flat = (value, other) =>
      typeof value === 'string'
        ? value === other
          ? []
          : [value]
        : Object.entries(value).flatMap(([key, inner]) => flat(inner, other?.[key]));
    return flat(read('en'), read('zh'));
  }),
);

/** Visible defects: overflow, cut-off and untranslated text. */
async function inspect(page, name, language) {
  // A phone's layout viewport grows with overflowing content.
  const { tooWide, cut, lines, quoted } = await page.evaluate((width) => {
    const named = 'h1, h2, h3, label, button, a, th, td, dt, dd, legend, small, p';
    const isCut = (element) => {
      if (element.closest('.visually-hidden')) return false;
      const style = getComputedStyle(element);
      const hides = ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis';
      return hides && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
    };
    // Cell content must be truncated with an ellipsis.
    const beyondCells = () =>
      [...document.querySelectorAll('[role="gridcell"]')].filter((cell) => {
        const { right } = cell.getBoundingClientRect();
        return [...cell.querySelectorAll('span, code, small')].some(
          (part) => !part.closest('.visually-hidden') && part.getBoundingClientRect().right > right + 1,
        );
      });
    const textOf = (element) => element.textContent?.trim() ?? '';
    const linesOf = (element) => element.innerText.split('\n').map((line) => line.trim());
    // Code, and text intentionally in another language, such as language names.
    const quoted = new Set([...document.body.querySelectorAll('code, pre, [lang]')].flatMap(linesOf));
    return {
      tooWide: document.documentElement.scrollWidth - width,
      cut: [...document.querySelectorAll(named)].filter(isCut).concat(beyondCells()).map(textOf),
      lines: linesOf(document.body).filter((line) => !quoted.has(line)),
      quoted: [...quoted],
    };
  }, page.viewportSize().width);
  if (tooWide > 0) report(name, `${tooWide} px too wide`);
  for (const text of cut) report(name, `cut off: ${text}`);
  for (const line of lines) {
    const key = line.match(/(^|\s)([a-z]\w*:)?[a-z]\w+(\.[a-z]\w+)+(\s|$)/)?.[0].trim();
    const isQuoted = quoted.includes(key) || line.includes('example') || line.includes('http');
    if (key && !isQuoted) report(name, `looks like a key: ${key}`);
    if (language === 'zh' && ENGLISH.has(line)) report(name, `not translated: ${line}`);
  }
}

for (const language of LANGUAGES) {
  for (const width of WIDTHS) {
    for (const dark of THEMES.map((theme) => theme === 'dark')) {
      const isMobile = width <= MOBILE_MAX_WIDTH;
      const suffix = `${language}-${width}${dark ? '-dark' : ''}`;
      const t = (name, parameters) => {
        const [namespace, key] = name.split(':');
        return texts(language, namespace)(key, parameters);
      };
      const window = { width, height: width === 360 ? PHONE_HEIGHT : 1000, dark };
      const { page, context, problems: unseen } = await visit(browser, language, window);

      const picture = async (name) => {
        if (only && only !== name) return;
        await page.waitForLoadState('networkidle').catch(() => {});
        await page.waitForTimeout(250);
        // Behind a dialog, the page does not scroll.
        const fullPage = (await page.getByRole('dialog').count()) === 0;
        await page.screenshot({ path: `${folder}${name}-${suffix}.png`, fullPage });
        await inspect(page, `${name}-${suffix}`, language);
      };
      const tour = async (screens, ending = '') => {
        for (const [name, path] of Object.entries(screens)) {
          if (only && only !== `${name}${ending}`) continue;
          await page.goto(`${shop.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
          await picture(`${name}${ending}`);
          // It is answered with 404, which browsers log.
          if (name === 'not-found') unseen.splice(0);
        }
      };

      await tour(OPEN_SCREENS);
      await tour({ mailbox: '/demo/mail' });
      await signIn(page, shop, language, 'reseller@example.com');
      const own = [
        'proxy-list',
        'group-list',
        'replaced',
        'proxy-setup',
        'orders',
        'wallet',
        'transactions',
        'products',
      ];
      await tour(Object.fromEntries(own.map((name) => [name, SCREENS[name]])), '-empty');
      const guest = { page, shop, language, show: picture };
      await resellerTour(guest);
      await accountTour(guest);
      await comesAs(guest, 'customer@example.com');
      await tour(SCREENS);
      await billingTour(guest);
      await webhooksTour(guest);
      await chatTour(guest);
      await notificationsTour(guest);
      await searchTour(guest);

      // Bulk selection, and each bulk action.
      const srp = (key, parameters) => t(`static_residential_proxies:${key}`, parameters);
      await page.goto(`${shop.url}${SCREENS['proxy-list']}`);
      const boxes = page.getByRole('main').getByRole('checkbox');
      await boxes.nth(1).check();
      await boxes.nth(2).check();
      await picture('proxies-selected');
      for (const action of ['renew', 'autoRenew', 'switch', 'group', 'note', 'credentials', 'export']) {
        // The bar's menu holds the actions for which it has no room.
        const name = srp(`action.${action}`);
        const button = page.getByRole('toolbar').getByRole('button', { name, exact: true });
        if (await button.isVisible()) await button.click();
        else {
          await page.getByRole('button', { name: srp('list.actions'), exact: true }).click();
          await page.getByRole('menuitem', { name, exact: true }).click();
        }
        await page.getByRole('dialog').waitFor();
        await picture(`proxies-${action}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      const [actionsOf] = srp('list.actionsOf').split('{{Ip}}');
      const rowMenu = page.getByRole('button', { name: new RegExp(actionsOf ? `^${actionsOf}` : ' 的操作$') });
      await rowMenu.first().click();
      await picture('proxy-menu');
      await page.getByRole('menuitem', { name: srp('action.switch'), exact: true }).click();
      await page.getByRole('radio', { name: new RegExp(`^${srp('switch.chosen')}`) }).check();
      await picture('proxy-switch-chosen');
      await page.keyboard.press('Escape');
      // The bar of the selection covers the filters.
      await page.getByRole('button', { name: t('common:selectNone') }).click();
      await page.getByRole('button', { name: srp('list.filters') }).click();
      await picture('proxy-filters');
      await page.goto(`${shop.url}${SCREENS['group-list']}`);
      await page
        .getByRole('button', { name: srp('groups.add') })
        .first()
        .click();
      await picture('group-add');
      await page.goto(`${shop.url}${SCREENS['proxy-setup']}`);
      await page.getByRole('radio', { name: 'Python', exact: true }).check();
      await page.getByRole('button', { name: srp('setup.change'), exact: true }).click();
      await picture('proxy-setup-credentials');
      await page.keyboard.press('Escape');
      await page.goto(`${shop.url}${SCREENS.order}`);
      await page.getByRole('radio', { name: srp('order.exact') }).check();
      await boxes.nth(isMobile ? 0 : 1).check();
      await picture('order-exact');
      await page.getByRole('radio', { name: srp('order.byCity') }).check();

      // An order: chosen, placed, unpaid, at the gateway, cancelled.
      await page.goto(`${shop.url}${SCREENS.order}`);
      const more = page.getByRole('button', { name: new RegExp(`^${t('common:increase', { Label: '' })}`) });
      await more.first().click();
      await more.first().click();
      await more.nth(3).click();
      await picture('order-chosen');
      await page.getByRole('button', { name: t('orders:quote.place') }).click();
      await page.getByRole('radio', { name: t('orders:method.sandbox') }).check();
      await picture('order-unpaid');
      // The demo has unpaid orders of its own.
      const unpaid = new RegExp(t('orders:unpaid.count_other', { count: 0 }).replace('0', '[2-9]'));
      await page.getByRole('button', { name: unpaid }).click();
      await picture('unpaid-orders');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: new RegExp(`^${t('orders:payNow')} .*\\$`) }).click();
      await page.getByRole('heading', { name: t('sandbox:pay') }).waitFor();
      await picture('pay-page');
      await page.getByRole('button', { name: t('sandbox:decline.hint') }).click();
      await page.getByText(t('orders:outcome.failed')).waitFor();
      await picture('order-declined');
      await page.getByRole('button', { name: t('orders:cancel'), exact: true }).click();
      await picture('cancel-order');
      await page.getByRole('button', { name: t('orders:cancelConfirm') }).click();
      await page.getByRole('main').getByText(t('orders:state.cancelled'), { exact: true }).first().waitFor();
      await picture('order-cancelled');

      if (isMobile) {
        await page.getByRole('button', { name: t('common:openMenu') }).click();
        await picture('drawer');
      }
      await comesAs(guest, 'operator@example.com');
      await operatorTour(guest);
      await conversationsTour(guest);
      await sellerTour(guest);
      for (const problem of new Set(unseen)) report(suffix, problem);
      await context.close();
      writeIndex(folder);
    }
  }
}
await browser.close();
await shop.close();
removeDemo();
await vite.close();
console.log(`${folder}index.html`);
console.log(problems === 0 ? 'every screen fits and is translated' : `${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
