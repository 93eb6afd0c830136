// The generator's settings: proxy user, location, session and format.
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { EndpointServer } from '@/api/endpoints';
import type { ProxyUserView } from '@/api/proxyUsers';
import { core, screenRules } from '@/core';
import type { Language } from '@/core/constants.gen';
import { countriesByName } from '@/core/places';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { SelectField, TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { useName } from '@/ui/texts';
import { portOf } from '../endpointServers';
import s from './generator.module.css';
import { OWN_TEMPLATE, type Settings } from './settings';

const COUNTS = [1, 10, 100, 1_000, 10_000, 100_000];
const MINUTES = [5, 10, 30, 60, 720, 1440];

interface SettingsFormProps {
  settings: Settings;
  servers: EndpointServer[];
  server: EndpointServer;
  users: ProxyUserView[];
  user: ProxyUserView | undefined;
  /** Error of a field of the list request. */
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Settings>) => void;
}

export function SettingsForm(props: SettingsFormProps) {
  const { settings, servers, server, users, user, errorOf, onChange } = props;
  const { t } = useTranslation('generator');
  // Without a session, nothing distinguishes the lines.
  const isAlike = !settings.useWhitelist && !settings.isSticky && Number(settings.count) > 1;
  return (
    <Card title={t('settings.title')}>
      <div className={s.form}>
        {servers.length > 1 && (
          <SelectField
            label={t('settings.server')}
            value={server.ServerId}
            onChange={(event) => onChange({ serverId: Number(event.target.value) })}
          >
            {servers.map((one) => (
              <option key={one.ServerId} value={one.ServerId}>
                {one.Name} · {one.Host}
              </option>
            ))}
          </SelectField>
        )}
        <div className={s.columns}>
          <Choice label={t('settings.authentication')}>
            <SegmentedControl
              label={t('settings.authentication')}
              value={settings.useWhitelist ? 'whitelist' : 'password'}
              segments={[
                { value: 'password', label: t('settings.byPassword') },
                { value: 'whitelist', label: t('settings.byWhitelist') },
              ]}
              onChange={(access) => onChange({ useWhitelist: access === 'whitelist' })}
            />
          </Choice>
          <Choice label={t('settings.protocol')}>
            <SegmentedControl
              label={t('settings.protocol')}
              value={settings.scheme}
              segments={[
                { value: 'http', label: 'HTTP(S)' },
                { value: 'socks5', label: 'SOCKS5' },
              ]}
              onChange={(scheme) => onChange({ scheme })}
            />
          </Choice>
        </div>
        {portOf(server, settings.scheme) === undefined && <Notice tone="bad">{t('settings.noSocks5')}</Notice>}
        {settings.useWhitelist ? (
          <Notice>
            {t('settings.whitelistHint')} <Link to="/residential-proxies/users">{t('settings.whitelistLink')}</Link>
          </Notice>
        ) : (
          <>
            <SelectField
              label={t('settings.user')}
              value={user?.ProxyUserId ?? ''}
              disabled={users.length === 0}
              onChange={(event) => onChange({ proxyUserId: Number(event.target.value) })}
            >
              {users.length === 0 && <option value="">{t('settings.noUser')}</option>}
              {users.map((one) => (
                <option key={one.ProxyUserId} value={one.ProxyUserId}>
                  {one.Name}
                  {one.State !== 'active' && ` · ${t(`state.${one.State}`)}`}
                  {one.Note && ` · ${one.Note}`}
                </option>
              ))}
            </SelectField>
            {user && user.State !== 'active' && (
              <Notice tone="warn">
                {t('settings.notActive', { Name: user.Name, State: t(`state.${user.State}`) })}
              </Notice>
            )}
            <PlaceFields settings={settings} user={user} errorOf={errorOf} onChange={onChange} />
            <Choice
              label={t('settings.session')}
              note={t(settings.isSticky ? 'settings.stickyHint' : 'settings.rotatingHint')}
            >
              <SegmentedControl
                label={t('settings.session')}
                value={settings.isSticky ? 'sticky' : 'rotating'}
                segments={[
                  { value: 'rotating', label: t('settings.rotating') },
                  { value: 'sticky', label: t('settings.sticky') },
                ]}
                onChange={(session) => onChange({ isSticky: session === 'sticky' })}
              />
            </Choice>
            {settings.isSticky && (
              <NumberField
                label={t('settings.minutes')}
                hint={t('settings.minutesHint', {
                  Min: screenRules().endpointLimits().TtlMinMinutes,
                  Max: screenRules().endpointLimits().TtlMaxMinutes,
                })}
                value={settings.minutes}
                choices={MINUTES}
                error={errorOf('User.TtlMinutes') ?? errorOf('User.Session')}
                onChange={(minutes) => onChange({ minutes })}
              />
            )}
          </>
        )}
        <NumberField
          label={t('settings.count')}
          hint={isAlike ? t('settings.alikeHint') : undefined}
          value={settings.count}
          choices={COUNTS}
          error={errorOf('Count')}
          onChange={(count) => onChange({ count })}
        />
        <FormatFields settings={settings} errorOf={errorOf} onChange={onChange} />
      </div>
    </Card>
  );
}

function Choice({ label, note, children }: { label: string; note?: string; children: React.ReactNode }) {
  return (
    <div className={s.choice}>
      <span aria-hidden="true">{label}</span>
      {children}
      {note && <small>{note}</small>}
    </div>
  );
}

type FieldsProps = Pick<SettingsFormProps, 'settings' | 'errorOf' | 'onChange'>;

/** An empty list allows all countries. */
const ALL: string[] = [];

/** The countries by name; memoized, because the list is long. */
const CountryOptions = memo(function CountryOptions({ allowed, language }: { allowed: string[]; language: Language }) {
  const countries = countriesByName(language).filter(({ code }) => allowed.length === 0 || allowed.includes(code));
  return countries.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
});

/** Exit location of the endpoints. */
function PlaceFields({ settings, user, errorOf, onChange }: FieldsProps & Pick<SettingsFormProps, 'user'>) {
  const { t } = useTranslation('generator');
  const language = currentLanguage();
  const name = useName();
  const allowed = user?.Countries ?? ALL;
  const cities = useMemo(
    () =>
      core()
        .cities()
        .filter((city) => city.Country === settings.country),
    [settings.country],
  );
  const isAllowed = !settings.country || allowed.length === 0 || allowed.includes(settings.country);
  return (
    <>
      <SelectField
        label={t('settings.country')}
        hint={allowed.length > 0 ? t('settings.countryHint', { Name: user?.Name ?? '' }) : undefined}
        error={isAllowed ? errorOf('User.Country') : t('settings.countryNotAllowed', { Name: user?.Name ?? '' })}
        value={settings.country}
        // States and cities depend on the country.
        onChange={(event) => onChange({ country: event.target.value, state: '', city: '' })}
      >
        <option value="">{t('settings.anyCountry')}</option>
        {!isAllowed && <option value={settings.country}>{core().countryName(settings.country, language)}</option>}
        <CountryOptions allowed={allowed} language={language} />
      </SelectField>
      {settings.country && (
        <div className={s.columns}>
          <TextField
            label={t('settings.state')}
            placeholder={t('settings.anyState')}
            error={errorOf('User.State')}
            autoComplete="off"
            value={settings.state}
            onChange={(event) => onChange({ state: event.target.value })}
          />
          <div>
            <TextField
              label={t('settings.city')}
              placeholder={t('settings.anyCity')}
              error={errorOf('User.City')}
              autoComplete="off"
              list="generator-cities"
              value={settings.city}
              onChange={(event) => onChange({ city: event.target.value })}
            />
            <datalist id="generator-cities">
              {cities.map((city) => (
                <option key={city.City} value={city.NameEn}>
                  {name({ en: city.NameEn, zh: city.NameZh })}
                </option>
              ))}
            </datalist>
          </div>
        </div>
      )}
    </>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string | undefined;
  value: string;
  choices: number[];
  error: string | undefined;
  onChange: (text: string) => void;
}

/** A number field with common values as buttons. */
function NumberField({ label, hint, value, choices, error, onChange }: NumberFieldProps) {
  const { t, i18n } = useTranslation(['generator', 'common']);
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <div className={s.numberField}>
      <TextField
        label={label}
        hint={hint}
        error={error}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className={s.buttons}>
        {choices.map((choice) => (
          <Button
            key={choice}
            size="small"
            aria-label={t('common:labelled', { Label: label, Value: choice })}
            aria-pressed={value === String(choice)}
            onClick={() => onChange(String(choice))}
          >
            {format.format(choice)}
          </Button>
        ))}
      </span>
    </div>
  );
}

/** Format of the lines. */
function FormatFields({ settings, errorOf, onChange }: FieldsProps) {
  const { t } = useTranslation('generator');
  return (
    <>
      <SelectField
        label={t('settings.format')}
        error={errorOf('Password')}
        value={settings.format}
        onChange={(event) => onChange({ format: event.target.value as typeof settings.format })}
      >
        {screenRules()
          .endpointFormats()
          .map((format) => (
            <option key={format} value={format}>
              {t(`format.${format}`)}
            </option>
          ))}
        <option value={OWN_TEMPLATE}>{t('format.template')}</option>
      </SelectField>
      {settings.format === OWN_TEMPLATE && (
        <div className={s.numberField}>
          <TextField
            label={t('settings.template')}
            error={errorOf('Template')}
            autoComplete="off"
            spellCheck={false}
            maxLength={screenRules().endpointLimits().TemplateMaxLength}
            value={settings.template}
            onChange={(event) => onChange({ template: event.target.value })}
          />
          <span className={s.buttons}>
            {screenRules()
              .templatePlaceholders()
              .map((name) => (
                <Button
                  key={name}
                  size="small"
                  aria-label={t('settings.insert', { Name: `{${name}}` })}
                  onClick={() => onChange({ template: `${settings.template}{${name}}` })}
                >
                  <code>{`{${name}}`}</code>
                </Button>
              ))}
          </span>
        </div>
      )}
    </>
  );
}
