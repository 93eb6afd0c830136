// Replaces the recovery codes, confirmed by a code.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { replaceRecoveryCodes } from '@/api/account';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { FormDialog } from '@/ui/FormDialog';
import s from '../account.module.css';
import { CodeField } from '../CodeField';
import { RecoveryCodesDialog } from './RecoveryCodes';

export function ReplaceCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const form = useCall(replaceRecoveryCodes);
  const [code, setCode] = useState('');
  const codes = form.answer?.RecoveryCodes;
  if (codes) return <RecoveryCodesDialog title={t('codes.replaced')} codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      call={form}
      className={s.form}
      title={t('twoFactor.newCodes')}
      action={t('codes.generate')}
      onSubmit={(event) =>
        form.submit(event, { broken: screenRules().validateEnteredCode(code), body: { Code: code } })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('codes.replaceHint')}</p>
      <CodeField {...form.bind('Code', code, setCode)} />
    </FormDialog>
  );
}
