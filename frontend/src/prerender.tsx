// Renders the first screens to markup at build time (vite/prerender.ts), so that they are visible before the scripts load: sign-in for
// visitors, and for users the frame with the head of each screen. The server fills in the shop's brand (server/src/web/brand.rs).
import { createInstance, type i18n, type Resource } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { createStaticHandler, createStaticRouter, MemoryRouter, StaticRouterProvider } from 'react-router';
import { BRAND_LOGO_SIZE } from '@/app/Brand';
import { FrameAlone } from '@/app/Frame';
import { SCREEN_HEADS } from '@/app/screenHeads';
import type { Language } from '@/core/constants.gen';
import { LOGO_SIZE } from '@/features/auth/AuthFrame';
import { AuthPage } from '@/features/auth/AuthPage';
import { firstNamespaces } from '@/i18n/start';
import { LogoAndName } from '@/ui/Logo';

/** The paths of users' screens. */
export const PATHS = Object.keys(SCREEN_HEADS);
export const namespacesOf = (path: string) => firstNamespaces(true, path);

// There is no page to read the brand from: placeholders are used instead.
const brand = { demo: '', logo: '{logo}', taglineEn: '{tagline-en}', taglineZh: '{tagline-zh}' };
Object.assign(globalThis, { document: { querySelector: () => ({ content: '{shop}', dataset: brand }) } });

/** A placeholder for the server: the text if the seller has set the key, and the text otherwise. */
const place = (key: string, filled: string, empty: string) => `<!--if ${key}-->${filled}<!--else-->${empty}<!--end-->`;

function replaceOnce(markup: string, piece: string | RegExp, by: (found: string) => string): string {
  const changed = markup.replace(piece, by);
  if (changed === markup) throw new Error(`the prerendered screen has no ${piece}`);
  return changed;
}

function textsIn(language: Language, texts: Resource[string]): i18n {
  const instance = createInstance();
  instance.use(initReactI18next).init({
    lng: language,
    resources: { [language]: texts },
    defaultNS: 'common',
    initAsync: false,
  });
  return instance;
}

const draw = (element: ReactNode, identifierPrefix = '') =>
  renderToStaticMarkup(element, { identifierPrefix }).replace(/<link rel="preload"[^>]*>/, '');

const drawBrand = (size: number, src: string | undefined, isWordmark = false) =>
  draw(<LogoAndName size={size} src={src} isWordmark={isWordmark} name="{shop}" />);

/** The seller's logo, if there is one, and the shop's name unless the logo has it. */
const withLogo = (screen: string, size: number) =>
  replaceOnce(
    screen,
    drawBrand(size, '{logo}'),
    () =>
      place('wordmark', drawBrand(size, '{wordmark}', true), '') +
      place('icon', drawBrand(size, '{icon}'), '') +
      place('no-logo', drawBrand(size, undefined), ''),
  );

export function prerenderLogin(language: Language, texts: Resource[string]): string {
  const tagline = `tagline-${language}`;
  const i18n = textsIn(language, texts);
  const screen = draw(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter initialEntries={['/login']}>
        <AuthPage form="login" />
      </MemoryRouter>
    </I18nextProvider>,
    language,
  );
  const withTagline = replaceOnce(withLogo(screen, LOGO_SIZE), `{${tagline}}`, (found) =>
    place(tagline, found, i18n.t('auth:tagline')),
  );
  return replaceOnce(withTagline, /<footer.*<\/footer>/, (found) => place('demo', found, ''));
}

/** The frame and the head of the screen at a path, in the window for which this module was loaded. */
export async function prerenderScreen(path: string, language: Language, texts: Resource[string]): Promise<string> {
  const routes = [{ path: '*', element: <FrameAlone /> }];
  const context = await createStaticHandler(routes).query(new Request(`http://localhost${path}`));
  if (context instanceof Response) throw new Error(`${path} is redirected`);
  const screen = draw(
    <I18nextProvider i18n={textsIn(language, texts)}>
      <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
    </I18nextProvider>,
    language,
  );
  return withLogo(screen, BRAND_LOGO_SIZE);
}
