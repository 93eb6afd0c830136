// Pictures of every built screen, wide and narrow, in both languages, light and dark; says where something overflows or
// is not translated.
import { mkdirSync } from 'node:fs';
import { createServer } from 'vite';

const vite = await createServer({
  configFile: false,
  server: { middlewareMode: true },
  optimizeDeps: { noDiscovery: true },
});
const { Shop, openBrowser, visit, signIn, texts } = await vite.ssrLoadModule('/e2e/shop.ts');
const { OPEN_SCREENS, SCREENS } = await vite.ssrLoadModule('/e2e/screens.ts');
const folder = new URL('./screenshots/', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

const only = process.argv[2];
const shop = await Shop.open();
const browser = await openBrowser();
let problems = 0;

async function picture(page, name) {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(250);
  await page.screenshot({ path: `${folder}${name}.png` });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const text = await page.evaluate(() => document.body.innerText);
  const keys = text.match(/\b[a-z]+[a-zA-Z]*\.[a-z][a-zA-Z]+\.[a-z][a-zA-Z]+\b/g) ?? [];
  if (wide > 0) {
    problems += 1;
    console.log(`${name}: ${wide} px too wide`);
  }
  if (keys.some((key) => !key.includes('example'))) {
    problems += 1;
    console.log(`${name}: looks like a key: ${keys.join(' ')}`);
  }
}

for (const language of ['en', 'zh']) {
  for (const width of [1600, 360]) {
    for (const dark of [false, true]) {
      const suffix = `${language}-${width}${dark ? '-dark' : ''}`;
      const {
        page,
        context,
        problems: unseen,
      } = await visit(browser, language, { width, height: width === 360 ? 780 : 1000, dark });
      for (const [name, path] of Object.entries(OPEN_SCREENS)) {
        if (only && only !== name) continue;
        await page.goto(`${shop.url}${path}?lang=${language}`);
        await picture(page, `${name}-${suffix}`);
      }
      await signIn(page, shop, language, 'customer@example.com');
      for (const [name, path] of Object.entries(SCREENS)) {
        if (only && only !== name) continue;
        await page.goto(`${shop.url}${path}`);
        await picture(page, `${name}-${suffix}`);
        if (name === 'order') {
          const more = texts(language, 'common')('more');
          const buttons = page.getByRole('button', { name: new RegExp(`^${more}:`) });
          await buttons.first().click();
          await buttons.first().click();
          await buttons.nth(3).click();
          await picture(page, `order-chosen-${suffix}`);
        }
      }
      if (width === 360 && !only) {
        await page.getByRole('button', { name: texts(language, 'common')('openMenu') }).click();
        await picture(page, `drawer-${suffix}`);
      }
      for (const problem of new Set(unseen)) {
        problems += 1;
        console.log(`${suffix}: ${problem}`);
      }
      await context.close();
    }
  }
}
await browser.close();
await shop.close();
await vite.close();
console.log(problems === 0 ? 'every screen fits and is translated' : `${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
