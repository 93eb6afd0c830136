// Prompts for a two-factor code when a call requires one.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmTwoFactor } from '@/api/account';
import { useCall } from '@/api/useCall';
import { useConfirmation } from '@/stores/confirmation';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import s from './app.module.css';

export function ConfirmTwoFactor() {
  const settle = useConfirmation((state) => state.settle);
  return settle && <Question onSettled={settle} />;
}

function Question({ onSettled }: { onSettled: (isConfirmed: boolean) => void }) {
  const { t } = useTranslation('common');
  const call = useCall(confirmTwoFactor, { silent: true });
  const [code, setCode] = useState('');
  const send = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    return call.submit(event, {
      body: { Code: code.trim() },
      onDone: () => onSettled(true),
      onFailed: () => requestAnimationFrame(() => form.querySelector('input')?.select()),
    });
  };
  const { error, ...field } = call.bind('Code', code, setCode);
  return (
    <FormDialog
      call={{ isBusy: call.isBusy, message: undefined }}
      title={t('confirm.title')}
      action={t('confirm.submit')}
      disabled={!code.trim()}
      className={s.confirm}
      onSubmit={send}
      onClose={() => onSettled(false)}
    >
      <p>{t('confirm.lead')}</p>
      <TextField
        label={t('confirm.code')}
        hint={t('confirm.hint')}
        error={error ?? call.message}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        {...field}
      />
    </FormDialog>
  );
}
