// Scopes of a key: read and write per area, with a description.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scope } from '@/core';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import s from './api-keys.module.css';
import { type Area, areasOf } from './scopes';

interface ScopesFieldProps {
  value: Scope[];
  error: string | undefined;
  onChange: (scopes: Scope[]) => void;
}

export function ScopesField({ value, error, onChange }: ScopesFieldProps) {
  const { t } = useTranslation('account');
  const noteId = useId();
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const areas = areasOf(level);
  const reading = areas.flatMap((area) => area.read ?? []);
  const set = (scope: Scope, isOn: boolean) =>
    onChange(isOn ? [...value, scope] : value.filter((one) => one !== scope));
  return (
    <fieldset className={s.scopes} aria-describedby={error && noteId} aria-invalid={Boolean(error)}>
      <legend>{t('keys.scopes')}</legend>
      <div className={s.presets}>
        <Button size="small" onClick={() => onChange(reading)}>
          {t('keys.readAll')}
        </Button>
        <Button
          size="small"
          onClick={() => onChange(areas.flatMap(({ read, write }) => [read, write]).filter(isScope))}
        >
          {t('keys.fullAccess')}
        </Button>
        <Button size="small" disabled={value.length === 0} onClick={() => onChange([])}>
          {t('keys.clearAll')}
        </Button>
      </div>
      <ul>
        {areas.map((area) => (
          <AreaRow key={area.name} area={area} value={value} onSet={set} />
        ))}
      </ul>
      {error && (
        <div id={noteId} className={s.error} role="alert">
          {error}
        </div>
      )}
    </fieldset>
  );
}

const isScope = (scope: Scope | undefined): scope is Scope => scope !== undefined;

interface AreaRowProps {
  area: Area;
  value: Scope[];
  onSet: (scope: Scope, isOn: boolean) => void;
}

function AreaRow({ area, value, onSet }: AreaRowProps) {
  const { t } = useTranslation('account');
  const id = useId();
  const name = t(`keys.area.${area.name}.name` as 'keys.area.proxies.name');
  const choices = [
    { scope: area.read, word: t('keys.read'), what: `keys.area.${area.name}.read` },
    { scope: area.write, word: t('keys.write'), what: `keys.area.${area.name}.write` },
    { scope: area.all, word: t('keys.use'), what: `keys.area.${area.name}.use` },
  ];
  return (
    <li>
      <strong>{name}</strong>
      <div>
        {choices.map(
          ({ scope, word, what }) =>
            scope && (
              <label key={scope} className={s.scope}>
                <input
                  type="checkbox"
                  aria-label={t('keys.scope', { Kind: word, Area: name })}
                  aria-describedby={`${id}-${scope}`}
                  checked={value.includes(scope)}
                  onChange={(event) => onSet(scope, event.target.checked)}
                />
                <span>
                  {word}
                  <small id={`${id}-${scope}`}>{t(what as 'keys.area.proxies.read')}</small>
                </span>
              </label>
            ),
        )}
      </div>
    </li>
  );
}
