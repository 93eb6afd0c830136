// Language of screens and emails, and the account's time zone.
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updatePreferences } from '@/api/account';
import { useCall } from '@/api/useCall';
import { core, timeZone } from '@/core';
import type { Language } from '@/core/constants.gen';
import { changeLanguage, currentLanguage } from '@/i18n';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';

const LANGUAGES: { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
];

export function PreferencesSection() {
  const { t } = useTranslation(['account', 'common']);
  const formId = useId();
  const form = useCall(updatePreferences);
  const zoneOfAccount = useUserStore((state) => state.info?.TimeZone ?? 'UTC');
  const [chosen, setChosen] = useState<Language>();
  // The header can change the language meanwhile.
  const language = chosen ?? currentLanguage();
  const [zone, setZone] = useState(zoneOfAccount);
  const zones = useZones(zone);
  const asked = { Language: language, TimeZone: zone };
  return (
    <Section
      title={t('preferences.title')}
      lead={t('preferences.lead')}
      footer={
        <Button type="submit" form={formId} variant="primary" loading={form.isBusy}>
          {t('common:save')}
        </Button>
      }
    >
      <form
        id={formId}
        className={s.form}
        noValidate
        onSubmit={(event) =>
          form.submit(event, {
            body: asked,
            onDone: async (user) => {
              useUserStore.setState(({ info }) => ({ info: info && { ...user, Token: info.Token } }));
              setChosen(undefined);
              await changeLanguage(language);
              // Uses the new language.
              showToast(t('preferences.saved', { lng: language }), 'success');
            },
          })
        }
      >
        <SelectField
          label={t('preferences.language')}
          hint={t('preferences.languageHint')}
          {...form.bind('Language', language, (value) => setChosen(value as Language))}
        >
          {LANGUAGES.map(({ value, label }) => (
            <option key={value} value={value} lang={value === 'zh' ? 'zh-CN' : value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('preferences.timeZone')}
          hint={t('preferences.timeZoneHint')}
          {...form.bind('TimeZone', zone, setZone)}
        >
          {zones.map(({ name, offset }) => (
            <option key={name} value={name}>
              {offset ? `${name.replaceAll('_', ' ')} (${offset})` : name}
            </option>
          ))}
        </SelectField>
        {zone !== timeZone() && core().isTimeZone(timeZone()) && (
          <div>
            <Button size="small" onClick={() => setZone(timeZone())}>
              {t('preferences.useThis', { Zone: timeZone().replaceAll('_', ' ') })}
            </Button>
          </div>
        )}
        {form.message && <Notice tone="bad">{form.message}</Notice>}
      </form>
    </Section>
  );
}

/** The zones of research stations, where no customer lives. */
const STATIONS = 'Antarctica/';

/** Time zones known to this browser and core, plus the current one, with their UTC offsets. */
function useZones(chosen: string) {
  return useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone').filter(
      (name) => !name.startsWith(STATIONS) && core().isTimeZone(name),
    );
    const names = [...new Set(['UTC', ...known, chosen])];
    return names.map((name) => ({ name, offset: offsetOf(name) }));
  }, [chosen]);
}

function offsetOf(zone: string): string {
  if (zone === 'UTC') return '';
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}
