// Pastes a list of cities such as "Tokyo 5, Paris 3": parsed while typing, applied with one click.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { core, loadScreenRules } from '@/core';
import { currentLanguage } from '@/i18n';
import type { BuyParams } from '@/stores/ips';
import { Button } from '@/ui/Button';
import { Frame } from '@/ui/Field';
import { Flag } from '@/ui/Flag';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import ui from '@/ui/ui.module.css';
import { useRules } from '@/ui/useRules';
import local from './places.module.css';

const MAX_LENGTH = 10_000;

interface PasteDialogProps {
  stockOf: (city: string) => number;
  onChoose: (quantities: BuyParams['quantities']) => void;
  onClose: () => void;
}

export function PasteDialog({ stockOf, onChoose, onClose }: PasteDialogProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const [text, setText] = useState('');
  const rules = useRules('endpoints', loadScreenRules);
  const { Cities, Unread } = useMemo(
    () => rules.data?.readWantedPlaces(text) ?? { Cities: [], Unread: [] },
    [rules.data, text],
  );
  const name = (city: string) => core().cityName(city, currentLanguage());
  const available = Cities.filter((one) => stockOf(one.City) > 0);
  const soldOut = Cities.filter((one) => stockOf(one.City) === 0);
  const taken = (one: (typeof Cities)[number]) => Math.min(one.Quantity, stockOf(one.City));
  const sum = available.reduce((total, one) => total + taken(one), 0);
  const choose = () =>
    onChoose(Object.fromEntries(available.map((one) => [one.City, { country: one.Country, quantity: taken(one) }])));
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('paste.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" disabled={sum === 0} onClick={choose}>
            {sum === 0 ? t('paste.choose') : t('paste.chooseCount', { count: sum })}
          </Button>
        </>
      }
    >
      <div className={local.paste}>
        <Frame label={t('paste.label')} hint={t('paste.hint')}>
          {(described) => (
            <textarea
              {...described}
              className={ui.input}
              rows={5}
              maxLength={MAX_LENGTH}
              placeholder={t('paste.placeholder')}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Frame>
        <div aria-live="polite">
          {available.length > 0 && (
            <ul className={local.read}>
              {available.map((one) => (
                <li key={one.City}>
                  <Flag country={one.Country} />
                  <span>
                    {name(one.City)} × {taken(one)}
                  </span>
                  {taken(one) < one.Quantity && (
                    <small>{t('paste.fewer', { count: taken(one), Wanted: one.Quantity })}</small>
                  )}
                </li>
              ))}
            </ul>
          )}
          {soldOut.length > 0 && (
            <Notice tone="warn">{t('paste.soldOut', { Cities: list(soldOut.map((one) => name(one.City))) })}</Notice>
          )}
          {Unread.length > 0 && <Notice tone="warn">{t('paste.unread', { Entries: list(Unread) })}</Notice>}
        </div>
      </div>
    </Dialog>
  );
}

const list = (parts: string[]) => new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(parts);
