// Renders the sign-in screen to markup at build time (vite/prerender.ts), so that it is visible before the scripts load.
// The server fills in the shop's brand (server/src/web/brand.rs).
import { createInstance, type Resource } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import type { Language } from '@/core/constants.gen';
import { LOGO_SIZE } from '@/features/auth/AuthFrame';
import { AuthPage } from '@/features/auth/AuthPage';
import { Logo } from '@/ui/Logo';

/** A placeholder for the server: the text if the seller has set the key, and the text otherwise. */
const place = (key: string, filled: string, empty: string) => `<!--if ${key}-->${filled}<!--else-->${empty}<!--end-->`;

function replaceOnce(markup: string, piece: string | RegExp, by: (found: string) => string): string {
  const changed = markup.replace(piece, by);
  if (changed === markup) throw new Error(`the sign-in screen has no ${piece}`);
  return changed;
}

export function prerenderLogin(language: Language, texts: Resource[string]): string {
  const tagline = `tagline-${language}`;
  const brand = { demo: '', logo: '{logo}', taglineEn: '{tagline-en}', taglineZh: '{tagline-zh}' };
  // There is no page to read the brand from: placeholders are used instead.
  Object.assign(globalThis, { document: { querySelector: () => ({ content: '{shop}', dataset: brand }) } });
  const i18n = createInstance();
  i18n.use(initReactI18next).init({
    lng: language,
    resources: { [language]: texts },
    defaultNS: 'common',
    initAsync: false,
  });
  const draw = (element: ReactNode) =>
    renderToStaticMarkup(element, { identifierPrefix: language }).replace(/<link rel="preload"[^>]*>/, '');
  const screen = draw(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter initialEntries={['/login']}>
        <AuthPage form="login" />
      </MemoryRouter>
    </I18nextProvider>,
  );
  const ownLogo = draw(<Logo size={LOGO_SIZE} src="{logo}" />);
  const defaultLogo = draw(<Logo size={LOGO_SIZE} src={undefined} />);
  const withLogo = replaceOnce(screen, ownLogo, (found) => place('logo', found, defaultLogo));
  const withTagline = replaceOnce(withLogo, `{${tagline}}`, (found) => place(tagline, found, i18n.t('auth:tagline')));
  return replaceOnce(withTagline, /<footer.*<\/footer>/, (found) => place('demo', found, ''));
}
