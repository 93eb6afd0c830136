// The account's email address, changed by links sent to both addresses.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestEmailChange } from '@/api/account';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { PasswordField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Section } from '@/ui/Section';
import s from '../account.module.css';

export function EmailSection() {
  const { t } = useTranslation('account');
  const email = useUserStore((state) => state.info?.Email ?? '');
  const [isChanging, setChanging] = useState(false);
  const [asked, setAsked] = useState<string>();
  return (
    <Section
      title={t('email.title')}
      lead={t('email.lead')}
      footer={<Button onClick={() => setChanging(true)}>{t('email.change')}</Button>}
    >
      <div className={s.form}>
        <p className={s.value}>
          <strong>{email}</strong>
        </p>
        {asked && <Notice>{t('email.sent', { New: asked, Old: email })}</Notice>}
      </div>
      {isChanging && (
        <ChangeEmail
          current={email}
          onClose={() => setChanging(false)}
          onAsked={(address) => {
            setAsked(address);
            setChanging(false);
          }}
        />
      )}
    </Section>
  );
}

interface ChangeEmailProps {
  current: string;
  onClose: () => void;
  onAsked: (address: string) => void;
}

function ChangeEmail({ current, onClose, onAsked }: ChangeEmailProps) {
  const { t } = useTranslation('account');
  const form = useCall(requestEmailChange);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const asked = { Email: email.trim(), Password: password };
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('email.change')}
      action={t('email.submit')}
      onSubmit={(event) =>
        form.submit(event, {
          broken: {
            ...screenRules().validateEmailChange(asked.Email, current),
            ...screenRules().validateEnteredPassword(password),
          },
          body: asked,
          onDone: () => onAsked(asked.Email),
        })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('email.how')}</p>
      <TextField label={t('email.new')} type="email" autoComplete="email" {...form.bind('Email', email, setEmail)} />
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        {...form.bind('Password', password, setPassword)}
      />
    </FormDialog>
  );
}
