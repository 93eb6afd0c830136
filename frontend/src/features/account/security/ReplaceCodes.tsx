// Replaces the recovery codes, confirmed by a code.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { account } from '@/core';
import s from '../account.module.css';
import { CodeField } from '../CodeField';
import { FormDialog } from '../FormDialog';
import { useRefreshed } from '../queries';
import { useForm } from '../useForm';
import { RecoveryCodesDialog } from './RecoveryCodes';

export function ReplaceCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const form = useForm();
  const refreshed = useRefreshed();
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog title={t('codes.replaced')} codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={t('twoFactor.newCodes')}
      action={t('codes.generate')}
      broken={account().validateEnteredCode(code)}
      asked={code}
      send={(options) => post('User/ReplaceRecoveryCodes', { Code: code }, options)}
      onDone={({ RecoveryCodes }) => {
        setCodes(RecoveryCodes);
        refreshed();
      }}
      onClose={onClose}
    >
      <p className={s.soft}>{t('codes.replaceHint')}</p>
      <CodeField {...form.bind('Code', code, setCode)} />
    </FormDialog>
  );
}
