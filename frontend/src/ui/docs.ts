// Addresses of the documentation that the server has at /docs, with pages for customers in both languages.
import { currentLanguage } from '@/i18n';

/** The page in the language of the screen. */
export const docsUrl = (page: 'api' | 'proxies' | 'webhooks') =>
  currentLanguage() === 'zh' ? `/docs/zh/${page}` : `/docs/${page}`;
