// Closes the account permanently, listing what will be lost.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { closeAccount, twoFactorQuery } from '@/api/account';
import { referralsQuery } from '@/api/referrals';
import { trafficQuery } from '@/api/traffic';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { isPositive } from '@/core/money';
import { currentLanguage } from '@/i18n';
import { usePlanInfo } from '@/stores/planInfo';
import { refreshWallet, useSessionStore, useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { PasswordField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';
import { CodeField } from '../CodeField';

export function CloseSection() {
  const { t } = useTranslation('account');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      danger
      title={t('close.title')}
      lead={t('close.lead')}
      footer={
        <Button variant="danger" onClick={() => setOpen(true)}>
          {t('close.open')}
        </Button>
      }
    >
      <p className={s.soft}>{t('close.what')}</p>
      {isOpen && <CloseAccount onClose={() => setOpen(false)} />}
    </Section>
  );
}

/** What the account will lose, one line each, as far as it is known. */
function useLosses(): { lines: string[]; leavesAnything: boolean } {
  const { t } = useTranslation('account');
  const wallet = useSessionStore((state) => state.wallet);
  const plans = usePlanInfo();
  const traffic = useQuery(trafficQuery);
  useEffect(() => {
    refreshWallet();
  }, []);
  const referrals = useQuery(referralsQuery);
  const hasBalance = wallet !== null && isPositive(wallet.WalletBalance);
  const ips = plans.data?.reduce((sum, plan) => sum + plan.IpsCount, 0) ?? 0;
  const left = traffic.data?.LeftBytes ?? 0;
  const earned = referrals.data;
  const commissions =
    earned &&
    (['Available', 'Pending'] as const)
      .filter((state) => isPositive(earned[state]))
      .map((state) => t(`close.commissions${state}`, { Amount: core().displayMoney(earned[state], earned.Currency) }));
  const lines = [
    ...(wallet && hasBalance
      ? [t('close.balance', { Amount: core().displayMoney(wallet.WalletBalance, wallet.Currency) })]
      : []),
    ...(ips > 0 ? [t('close.ips', { count: ips })] : []),
    ...(left > 0 ? [t('close.traffic', { Traffic: bytesText(left, currentLanguage()) })] : []),
    ...(commissions ?? []),
    t('close.keys'),
    t('close.personal'),
  ];
  return { lines, leavesAnything: hasBalance || ips > 0 || left > 0 || Boolean(commissions?.length) };
}

function CloseAccount({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const lossesId = useId();
  const form = useCall(closeAccount);
  const { lines, leavesAnything } = useLosses();
  const twoFactor = useQuery(twoFactorQuery);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [givesUp, setGivesUp] = useState(false);
  const hasLeft = leavesAnything || form.wasRefused('closingLeaves');
  const wantsCode = twoFactor.data?.IsOn || form.wasRefused('twoFactorNeeded');
  const asked = { Password: password, GiveUpBalance: hasLeft && givesUp, ...(wantsCode && { Code: code }) };
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('close.question')}
      action={t('close.submit')}
      danger
      disabled={hasLeft && !givesUp}
      onSubmit={(event) =>
        form.submit(event, {
          broken: {
            ...screenRules().validateEnteredPassword(password),
            ...(wantsCode && screenRules().validateEnteredCode(code)),
          },
          body: asked,
          onDone: () => {
            useUserStore.getState().signOut();
            navigate('/login', { replace: true });
            showToast(t('close.done'));
          },
        })
      }
      onClose={onClose}
    >
      <Notice tone="warn">{t('close.cannotBeUndone')}</Notice>
      <div>
        <h3 id={lossesId} className={s.lossesTitle}>
          {t('close.losses')}
        </h3>
        <ul className={s.losses} aria-labelledby={lossesId}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <p className={s.soft}>{t('close.kept')}</p>
      {hasLeft && (
        <label className={s.tick}>
          <input type="checkbox" checked={givesUp} onChange={(event) => setGivesUp(event.target.checked)} />
          <span>{t('close.acceptLoss')}</span>
        </label>
      )}
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        {...form.bind('Password', password, setPassword)}
      />
      {wantsCode && <CodeField takesRecovery {...form.bind('Code', code, setCode)} />}
    </FormDialog>
  );
}
