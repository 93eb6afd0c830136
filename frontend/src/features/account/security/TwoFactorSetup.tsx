// Turns two-factor authentication on: password, QR code and secret, first code, recovery codes.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { account } from '@/core';
import { CopyButton } from '@/ui/CopyButton';
import { PasswordField } from '@/ui/Field';
import { QrCode } from '@/ui/QrCode';
import s from '../account.module.css';
import { CodeField } from '../CodeField';
import { FormDialog } from '../FormDialog';
import { useRefreshed } from '../queries';
import { useForm } from '../useForm';
import { RecoveryCodesDialog } from './RecoveryCodes';

export function TwoFactorSetup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const refreshed = useRefreshed();
  const [begun, setBegun] = useState<Schemas['TwoFactorBegun']>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog title={t('twoFactor.isOn')} codes={codes} onClose={onClose} />;
  if (!begun) return <Password onClose={onClose} onBegun={setBegun} />;
  return (
    <Scan
      begun={begun}
      onClose={onClose}
      onDone={(made) => {
        setCodes(made);
        refreshed();
      }}
    />
  );
}

function Password({ onClose, onBegun }: { onClose: () => void; onBegun: (begun: Schemas['TwoFactorBegun']) => void }) {
  const { t } = useTranslation('account');
  const form = useForm();
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      form={form}
      title={t('twoFactor.setup')}
      action={t('twoFactor.continue')}
      broken={account().validateEnteredPassword(password)}
      asked={password}
      send={(options) => post('User/BeginTwoFactor', { Password: password }, options)}
      onDone={onBegun}
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
  onDone: (codes: string[]) => void;
}

function Scan({ begun, onClose, onDone }: ScanProps) {
  const { t } = useTranslation('account');
  const form = useForm();
  const [code, setCode] = useState('');
  return (
    <FormDialog
      form={form}
      title={t('twoFactor.setup')}
      action={t('twoFactor.turnOn')}
      broken={account().validateEnteredCode(code)}
      asked={code}
      send={(options) => post('User/TurnOnTwoFactor', { Code: code }, options)}
      onDone={({ RecoveryCodes }) => onDone(RecoveryCodes)}
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
