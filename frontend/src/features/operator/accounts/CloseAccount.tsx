// Closes a customer's account permanently: its balance may move to the customer's other account, and what is left is given up only with explicit consent.
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CallError, Schemas } from '@/api/client';
import { closeAccountOf } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { isPositive } from '@/core/money';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { useNumber } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

interface CloseAccountProps {
  account: Schemas['Account'];
}

export function CloseAccount({ account }: CloseAccountProps) {
  const { t } = useTranslation('accounts');
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={s.danger}>
      <Card title={t('closing.title')}>
        <div className={s.form}>
          <p className={s.soft}>{t('closing.lead')}</p>
          <div>
            <Button variant="danger" onClick={() => setOpen(true)}>
              {t('closing.open')}
            </Button>
          </div>
        </div>
      </Card>
      {isOpen && <CloseDialog account={account} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** What is left in the account, as the refusal `closingLeaves` says. */
interface Left {
  Balance: string;
  Currency: Schemas['Currency'];
  Proxies: number;
  Gigabytes: string;
  Commissions: string;
}

const UNPAID = 'closingUnpaidOrders';
const LEAVES = 'closingLeaves';

function CloseDialog({ account, onClose }: CloseAccountProps & { onClose: () => void }) {
  const { t } = useTranslation('accounts');
  const whatId = useId();
  const call = useCall(closeAccountOf);
  const [balanceTo, setBalanceTo] = useState('');
  const [reason, setReason] = useState('');
  const [left, setLeft] = useState<Left>();
  const [isAccepted, setAccepted] = useState(false);
  const onBalanceTo = (email: string) => {
    setBalanceTo(email);
    // It decides what is lost.
    setLeft(undefined);
    setAccepted(false);
  };
  const refused = call.refusal?.data.Key;
  // The server's texts for these speak to the customer.
  const message = refused === UNPAID || refused === LEAVES ? undefined : call.message;
  const onFailed = ({ data }: CallError) => {
    if (data.Key === LEAVES) setLeft(data as unknown as Left);
  };
  return (
    <FormDialog
      call={{ ...call, message }}
      title={t('closing.question')}
      action={t('closing.submit')}
      danger
      disabled={left !== undefined && !isAccepted}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateReason(reason),
          body: {
            AccountId: account.AccountId,
            Reason: reason,
            GiveUpBalance: left !== undefined && isAccepted,
            BalanceTo: balanceTo.trim(),
          },
          onDone: () => {
            showToast(t('closing.done', { Email: account.Email }), 'success');
            onClose();
          },
          onFailed,
        })
      }
      onClose={onClose}
    >
      <Notice tone="warn">
        <span className={s.wraps}>{t('closing.cannotBeUndone', { Email: account.Email })}</span>
      </Notice>
      <div className={s.part}>
        <h3 id={whatId}>{t('closing.what')}</h3>
        <ul className={s.bullets} aria-labelledby={whatId}>
          {(['ends', 'access', 'personal', 'again', 'told'] as const).map((what) => (
            <li key={what}>{t(`closing.${what}`)}</li>
          ))}
        </ul>
      </div>
      <TextField
        label={t('closing.balanceTo')}
        hint={t('closing.balanceToHint')}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...call.bind('BalanceTo', balanceTo, onBalanceTo)}
      />
      <TextField
        label={t('closing.reason')}
        hint={t(balanceTo.trim() ? 'closing.reasonSeen' : 'closing.reasonHint')}
        autoComplete="off"
        {...call.bind('Reason', reason, setReason)}
      />
      {left && <Losses left={left} isAccepted={isAccepted} onAccept={setAccepted} />}
      {refused === UNPAID && (
        <Notice tone="bad">
          {t('closing.unpaid')}{' '}
          <Link to={`${OPERATOR_PATH}/orders?AccountId=${account.AccountId}`}>{t('orders.title')}</Link>
        </Notice>
      )}
    </FormDialog>
  );
}

interface LossesProps {
  left: Left;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

/** What the customer loses, one line each, and the consent to it. */
function Losses({ left, isAccepted, onAccept }: LossesProps) {
  const { t } = useTranslation('accounts');
  const number = useNumber();
  const lossesId = useId();
  const box = useRef<HTMLInputElement>(null);
  // The refusal asks for it.
  useEffect(() => box.current?.focus(), []);
  const money = (amount: string) => core().displayMoney(amount, left.Currency);
  const lines = [
    isPositive(left.Balance) && t('closing.balance', { Amount: money(left.Balance) }),
    left.Proxies > 0 && t('closing.proxies', { count: left.Proxies }),
    Number(left.Gigabytes) > 0 && t('closing.traffic', { Gigabytes: number(Number(left.Gigabytes)) }),
    isPositive(left.Commissions) && t('closing.commissions', { Amount: money(left.Commissions) }),
  ].filter((line) => line !== false);
  return (
    <div className={s.part}>
      <h3 id={lossesId}>{t('closing.losses')}</h3>
      <ul id={`${lossesId}-list`} className={s.bullets} aria-labelledby={lossesId}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <label className={s.tick}>
        <input
          ref={box}
          type="checkbox"
          checked={isAccepted}
          aria-describedby={`${lossesId}-list`}
          onChange={(event) => onAccept(event.target.checked)}
        />
        <span>{t('closing.accept')}</span>
      </label>
    </div>
  );
}
