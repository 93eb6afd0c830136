// Loads all locale files at once, because the gallery has no server.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { DEFAULT_LANGUAGE } from '@/core/constants.gen';
import { interpolation, numbers } from '@/i18n/numbers';
import { startLanguage } from '@/i18n/start';

const files = import.meta.glob<object>('../../../locales/*/*.json', { eager: true, import: 'default' });

const textsOf = (language: string) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, texts]) => {
      const name = new RegExp(`/${language}/(\\w+)\\.json$`).exec(path)?.[1];
      return name ? [[name, texts]] : [];
    }),
  );

export async function startTexts(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
  });
  await i18next
    .use(initReactI18next)
    .use(numbers)
    .init({
      lng: startLanguage(),
      fallbackLng: DEFAULT_LANGUAGE,
      defaultNS: 'common',
      resources: { en: textsOf('en'), zh: textsOf('zh') },
      interpolation,
    });
}
