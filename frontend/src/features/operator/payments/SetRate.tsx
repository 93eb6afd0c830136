// Sets an exchange rate by hand, or the feed that it is fetched from.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExchangeRate, setExchangeRate } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { type FieldErrors, screenRules } from '@/core';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import s from './payments.module.css';

const MODES = ['hand', 'feed'] as const;
type Mode = (typeof MODES)[number];

/** Without an address, the call would set the rate by hand. */
const MISSING: FieldErrors = { FeedUrl: [{ Rule: 'required', Params: {} }] };

interface SetRateProps {
  rate: ExchangeRate;
  onClose: () => void;
}

export function SetRate({ rate: { Currency, ShopCurrency, ...now }, onClose }: SetRateProps) {
  const { t } = useTranslation(['payments', 'common']);
  const call = useCall(setExchangeRate);
  const [mode, setMode] = useState<Mode>(now.FeedUrl ? 'feed' : 'hand');
  const [form, setForm] = useState({
    Rate: (!now.FeedUrl && now.Rate) || '',
    FeedUrl: now.FeedUrl ?? '',
    FeedPath: now.FeedPath ?? '',
    Margin: now.Margin?.replace('%', '') ?? '',
  });
  const { Rate, ...feed } = form;
  const bind = (field: keyof typeof form) => ({
    autoComplete: 'off',
    ...call.bind(field, form[field], (typed) => setForm({ ...form, [field]: typed })),
  });
  const body = mode === 'feed' ? { Currency, ...feed } : { Currency, Rate };
  const isMissing = mode === 'feed' && feed.FeedUrl.trim() === '';
  const onDone = () => {
    showToast(t('rates.done'), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('rates.title', { Currency })}
      action={t('common:save')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: isMissing ? MISSING : screenRules().validateExchangeRate(body),
          body,
          onDone,
        })
      }
      onClose={onClose}
    >
      <OptionList<Mode>
        label={t('rates.mode.label')}
        value={mode}
        onChange={(next) => {
          setMode(next);
          call.errors.set({});
        }}
        options={MODES.map((value) => ({
          value,
          label: t(`rates.mode.${value}`),
          hint: t(`rates.modeHint.${value}`),
        }))}
      />
      {mode === 'hand' ? (
        <TextField
          label={t('rates.rate', { Currency, ShopCurrency })}
          hint={t('rates.rateHint', { Example: '7.125' })}
          inputMode="decimal"
          {...bind('Rate')}
        />
      ) : (
        <>
          <TextField
            label={t('rates.url')}
            hint={t('rates.urlHint')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            {...bind('FeedUrl')}
          />
          <TextField
            label={t('rates.path')}
            hint={t('rates.pathHint', { Example: `/rates/${Currency}` })}
            autoCapitalize="none"
            spellCheck={false}
            {...bind('FeedPath')}
          />
          <TextField label={t('rates.margin')} hint={t('rates.marginHint')} inputMode="decimal" {...bind('Margin')} />
        </>
      )}
      <p className={s.soft}>{t('rates.keeps')}</p>
    </FormDialog>
  );
}
