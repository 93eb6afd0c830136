// Language selection, and retries of failed text loads.
import i18next from 'i18next';
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
import { backend } from './backend';
import { interpolation, numbers } from './numbers';
import { asLanguage, startLanguage } from './start';

export function currentLanguage(): Language {
  return asLanguage(i18next.language);
}

/** Switches the language without a reload, so that typed input stays. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
}

let areMissing = false;
const watchers = new Set<() => void>();

/** Whether the texts of both languages failed to load after all retries. */
export const textsAreMissing = () => areMissing;

export function watchTexts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Texts missing in the user's language fall back to the other language, if loaded. */
function noteMissing(namespace: string): void {
  if ([currentLanguage(), DEFAULT_LANGUAGE].some((language) => i18next.hasResourceBundle(language, namespace))) return;
  areMissing = true;
  for (const watcher of watchers) watcher();
}

/** Resolves when the texts of these namespaces are loaded. */
export async function startI18n(namespaces: string[]): Promise<void> {
  i18next.on('failedLoading', (_language, namespace) => noteMissing(namespace));
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : language;
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .use(numbers)
    .init({
      lng: startLanguage(),
      fallbackLng: DEFAULT_LANGUAGE,
      supportedLngs: [...LANGUAGES],
      load: 'languageOnly',
      ns: namespaces,
      defaultNS: 'common',
      interpolation,
      maxParallelReads: LOCALE_PARALLEL_READS,
      maxRetries: LOCALE_RETRIES,
      retryTimeout: LOCALE_RETRY_MS,
    });
}
