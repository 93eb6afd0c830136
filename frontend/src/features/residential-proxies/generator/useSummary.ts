// Short summary of settings, to tell presets and list URLs apart.
import { useTranslation } from 'react-i18next';
import type { EndpointSettings } from '@/api/endpoints';
import { core, screenRules } from '@/core';
import { currentLanguage } from '@/i18n';

export function useSummary() {
  const { t } = useTranslation('generator');
  return (settings: EndpointSettings): string => {
    const format = screenRules()
      .endpointFormats()
      .find((one) => one === settings.Format);
    const parts = [
      settings.Scheme === 'http' ? 'HTTP(S)' : 'SOCKS5',
      settings.UseWhitelist ? t('settings.byWhitelist') : undefined,
      settings.Country ? core().countryName(settings.Country, currentLanguage()) : t('settings.anyCountry'),
      settings.State,
      settings.City,
      settings.Sticky && settings.TtlMinutes ? t('summary.sticky', { count: settings.TtlMinutes }) : undefined,
      settings.Sticky && !settings.TtlMinutes ? t('summary.stickyAlways') : undefined,
      settings.Sticky ? undefined : t('settings.rotating'),
      t('result.lines', { count: settings.Count }),
      settings.Template !== undefined ? t('format.template') : format && t(`format.${format}`),
    ];
    // No line starts with a dot.
    return parts.filter(Boolean).join('\u00a0· ');
  };
}
