// Turns two-factor authentication on: password, QR code and secret, first code, recovery codes.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginTwoFactor, turnOnTwoFactor } from '@/api/account';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { CopyButton } from '@/ui/CopyButton';
import { PasswordField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { QrCode } from '@/ui/QrCode';
import s from '../account.module.css';
import { CodeField } from '../CodeField';
import { RecoveryCodesDialog } from './RecoveryCodes';

export function TwoFactorSetup({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<Schemas['TwoFactorBegun']>();
  return begun ? <Scan begun={begun} onClose={onClose} /> : <Password onClose={onClose} onBegun={setBegun} />;
}

function Password({ onClose, onBegun }: { onClose: () => void; onBegun: (begun: Schemas['TwoFactorBegun']) => void }) {
  const { t } = useTranslation('account');
  const form = useCall(beginTwoFactor);
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('twoFactor.setup')}
      action={t('twoFactor.continue')}
      onSubmit={(event) =>
        form.submit(event, {
          broken: screenRules().validateEnteredPassword(password),
          body: { Password: password },
          onDone: onBegun,
        })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('twoFactor.passwordFirst')}</p>
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        {...form.bind('Password', password, setPassword)}
      />
    </FormDialog>
  );
}

interface ScanProps {
  begun: Schemas['TwoFactorBegun'];
  onClose: () => void;
}

function Scan({ begun, onClose }: ScanProps) {
  const { t } = useTranslation('account');
  const form = useCall(turnOnTwoFactor);
  const [code, setCode] = useState('');
  const codes = form.answer?.RecoveryCodes;
  if (codes) return <RecoveryCodesDialog title={t('twoFactor.isOn')} codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('twoFactor.setup')}
      action={t('twoFactor.turnOn')}
      onSubmit={(event) =>
        form.submit(event, { broken: screenRules().validateEnteredCode(code), body: { Code: code } })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('twoFactor.scan')}</p>
      <QrCode text={begun.Uri} label={t('twoFactor.qr')} />
      <div>
        <p className={s.soft}>{t('twoFactor.type')}</p>
        <p className={s.value}>
          <code>{begun.Secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={begun.Secret} label={t('twoFactor.copySecret')} />
        </p>
      </div>
      <CodeField {...form.bind('Code', code, setCode)} />
    </FormDialog>
  );
}
