// Languages: which one, where its texts come from, and how failed reads are repeated.
import i18next from 'i18next';
import HttpBackend from 'i18next-http-backend';
import { initReactI18next } from 'react-i18next';
import {
  DEFAULT_LANGUAGE,
  LANGUAGE_KEY,
  LANGUAGES,
  type Language,
  LOCALE_PARALLEL_READS,
  LOCALE_RETRIES,
  LOCALE_RETRY_MS,
} from '@/core/constants.gen';

/** Every other value than a language's own name gives the default. */
function asLanguage(choice: string | null): Language {
  return LANGUAGES.find((language) => language === choice) ?? DEFAULT_LANGUAGE;
}

/** The language that the address asks for, which is then kept; else the one kept from last time. */
function startLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(LANGUAGE_KEY);
  if (!asked) return asLanguage(localStorage.getItem(LANGUAGE_KEY));
  const language = asLanguage(asked);
  localStorage.setItem(LANGUAGE_KEY, language);
  return language;
}

export function currentLanguage(): Language {
  return asLanguage(i18next.language);
}

/** Switches the language in place: nothing is reloaded, nothing typed is lost. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
}

export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
  });
  await i18next
    .use(HttpBackend)
    .use(initReactI18next)
    .init({
      lng: startLanguage(),
      fallbackLng: DEFAULT_LANGUAGE,
      supportedLngs: [...LANGUAGES],
      load: 'languageOnly',
      ns: ['common', 'errors'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      maxParallelReads: LOCALE_PARALLEL_READS,
      maxRetries: LOCALE_RETRIES,
      retryTimeout: LOCALE_RETRY_MS,
      backend: { loadPath: '/locales/{{lng}}/{{ns}}.json', queryStringParams: { v: __BUILD_STAMP__ } },
    });
}
