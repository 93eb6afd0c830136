// What an account is: a customer, a reseller with a wholesale discount, or one of the seller's staff with a role.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAccountTerms } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { CUSTOMER, MAX_DISCOUNT_BASIS_POINTS, OPERATOR, RESELLER, StaffRole } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import { useLevelText } from '../LevelBadge';
import s from './accounts.module.css';

type Account = Schemas['Account'];

const CHOICES = ['customer', 'reseller', StaffRole.Support, StaffRole.Accountant] as const;
type Choice = (typeof CHOICES)[number];

const choiceOf = ({ Level, Role }: Pick<Account, 'Level' | 'Role'>): Choice | undefined => {
  if (Level === OPERATOR) return CHOICES.find((choice) => choice === Role);
  return Level === RESELLER ? 'reseller' : 'customer';
};

/** Operators who may do everything are appointed and dismissed by a command on the server. */
export const hasTermsOnScreen = (account: Account) => choiceOf(account) !== undefined;

const isOfStaff = (choice: Choice) => choice === StaffRole.Support || choice === StaffRole.Accountant;

function termsOf(choice: Choice, discount: string) {
  if (choice === 'reseller') return { Level: RESELLER, Discount: discount.trim() } as const;
  if (choice === 'customer') return { Level: CUSTOMER, Discount: '' } as const;
  return { Level: OPERATOR, Discount: '', Role: choice } as const;
}

export function AccountTerms({ account }: { account: Account }) {
  const { t } = useTranslation(['accounts', 'common']);
  const call = useCall(setAccountTerms);
  const levelText = useLevelText();
  const [choice, setChoice] = useState<Choice>(choiceOf(account) ?? 'customer');
  const [discount, setDiscount] = useState(
    account.ResellerBasisPoints > 0 ? screenRules().plainPercent(account.ResellerBasisPoints) : '',
  );
  const save = (event: FormEvent<HTMLFormElement>) => {
    const terms = termsOf(choice, discount);
    return call.submit(event, {
      broken: screenRules().validateAccountTerms(terms),
      body: { AccountId: account.AccountId, ...terms },
      onDone: ({ Account: { Level, Role, ResellerBasisPoints } }) => {
        const Percent = core().displayPercent(ResellerBasisPoints);
        const name = levelText(Level, Role);
        const Terms = ResellerBasisPoints > 0 ? t('terms.of', { Level: name, Percent }) : name;
        showToast(t('terms.saved', { Email: account.Email, Terms }), 'success');
      },
    });
  };
  return (
    <Card title={t('terms.title')}>
      <form className={s.form} onSubmit={save} noValidate>
        <OptionList<Choice>
          label={t('levelTitle')}
          isLabelHidden
          value={choice}
          onChange={(chosen) => {
            call.errors.set({});
            setChoice(chosen);
          }}
          options={CHOICES.map((value) => ({ value, label: t(`level.${value}`), hint: t(`terms.${value}Hint`) }))}
        />
        {choice === 'reseller' && (
          <TextField
            label={t('terms.percent')}
            hint={t('terms.percentHint', { Max: core().displayPercent(MAX_DISCOUNT_BASIS_POINTS) })}
            inputMode="decimal"
            autoComplete="off"
            {...call.bind('Discount', discount, setDiscount)}
          />
        )}
        {isOfStaff(choice) && choice !== choiceOf(account) && (
          <Notice tone="warn">{t('terms.appoints', { Email: account.Email })}</Notice>
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
