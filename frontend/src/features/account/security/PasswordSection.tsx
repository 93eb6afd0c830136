// Changes the password with the current one, and ends all other sessions.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePassword } from '@/api/account';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { PASSWORD_MIN_LENGTH } from '@/core/constants.gen';
import { deviceId } from '@/stores/device';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { PasswordField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Section } from '@/ui/Section';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';

export function PasswordSection() {
  const { t } = useTranslation(['account', 'common']);
  const formId = useId();
  const email = useUserStore((state) => state.info?.Email ?? '');
  const form = useCall(changePassword);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const asked = { CurrentPassword: current, NewPassword: next };
  return (
    <Section
      title={t('password.title')}
      lead={t('password.lead')}
      footer={
        <>
          <p>{t('password.others')}</p>
          <Button type="submit" form={formId} variant="primary" loading={form.isBusy}>
            {t('password.submit')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={s.form}
        noValidate
        onSubmit={(event) =>
          form.submit(event, {
            broken: screenRules().validatePasswordChange(asked, email),
            body: { ...asked, DeviceId: deviceId() },
            onDone: () => {
              setCurrent('');
              setNext('');
              showToast(t('password.changed'), 'success');
            },
          })
        }
      >
        {/* Lets password managers store the user name. */}
        <input
          className="visually-hidden"
          name="username"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          {...form.bind('CurrentPassword', current, setCurrent)}
        />
        <PasswordField
          label={t('password.new')}
          autoComplete="new-password"
          hint={t('password.hint', { Min: PASSWORD_MIN_LENGTH })}
          {...form.bind('NewPassword', next, setNext)}
        />
        {form.message && <Notice tone="bad">{form.message}</Notice>}
      </form>
    </Section>
  );
}
