// Level and, for resellers, wholesale discount of an account.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAccountTerms } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { CUSTOMER, MAX_DISCOUNT_BASIS_POINTS, RESELLER } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import { useLevelText } from '../LevelBadge';
import s from './accounts.module.css';

type Grantable = 'customer' | 'reseller';

export function AccountTerms({ account }: { account: Schemas['Account'] }) {
  const { t } = useTranslation(['accounts', 'common']);
  const call = useCall(setAccountTerms);
  const levelText = useLevelText();
  const [level, setLevel] = useState<Grantable>(account.Level === RESELLER ? 'reseller' : 'customer');
  const [discount, setDiscount] = useState(
    account.ResellerBasisPoints > 0 ? screenRules().plainPercent(account.ResellerBasisPoints) : '',
  );
  const save = (event: FormEvent<HTMLFormElement>) => {
    const terms: Schemas['AccountTermsForm'] & { Level: number; Discount: string } =
      level === 'reseller' ? { Level: RESELLER, Discount: discount.trim() } : { Level: CUSTOMER, Discount: '' };
    return call.submit(event, {
      broken: screenRules().validateAccountTerms(terms),
      body: { AccountId: account.AccountId, ...terms },
      onDone: ({ Account: { Level, ResellerBasisPoints } }) => {
        const Percent = core().displayPercent(ResellerBasisPoints);
        const Terms = ResellerBasisPoints > 0 ? t('terms.of', { Level: levelText(Level), Percent }) : levelText(Level);
        showToast(t('terms.saved', { Email: account.Email, Terms }), 'success');
      },
    });
  };
  return (
    <Card title={t('terms.title')}>
      <form className={s.form} onSubmit={save} noValidate>
        <OptionList<Grantable>
          label={t('levelTitle')}
          isLabelHidden
          value={level}
          onChange={(chosen) => {
            call.errors.set({});
            setLevel(chosen);
          }}
          options={[
            { value: 'customer', label: t('level.customer'), hint: t('terms.customerHint') },
            { value: 'reseller', label: t('level.reseller'), hint: t('terms.resellerHint') },
          ]}
        />
        {level === 'reseller' && (
          <TextField
            label={t('terms.percent')}
            hint={t('terms.percentHint', { Max: core().displayPercent(MAX_DISCOUNT_BASIS_POINTS) })}
            inputMode="decimal"
            autoComplete="off"
            {...call.bind('Discount', discount, setDiscount)}
          />
        )}
        <div>
          <Button type="submit" loading={call.isBusy}>
            {t('terms.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
