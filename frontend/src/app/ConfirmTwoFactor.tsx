// Prompts for a two-factor code when a call requires one.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { useConfirmation } from '@/stores/confirmation';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import s from './app.module.css';

export function ConfirmTwoFactor() {
  const settle = useConfirmation((state) => state.settle);
  return settle && <Question onSettled={settle} />;
}

function Question({ onSettled }: { onSettled: (isConfirmed: boolean) => void }) {
  const { t } = useTranslation('common');
  const formId = useId();
  const errors = useFieldErrors();
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Keeps the submit event from a form in the dialog underneath.
    event.stopPropagation();
    const form = event.currentTarget;
    if (isBusy || !code.trim()) return;
    setBusy(true);
    try {
      await post('User/ConfirmTwoFactor', { Code: code.trim() }, { silent: true });
      onSettled(true);
    } catch (error) {
      if (!(error instanceof CallError) || error.isIgnored) return;
      if (!errors.takeFrom(error)) setRefusal(error.message);
      requestAnimationFrame(() => form.querySelector('input')?.select());
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={() => onSettled(false)}
      title={t('confirm.title')}
      actions={
        <>
          <Button onClick={() => onSettled(false)}>{t('cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={!code.trim()} loading={isBusy}>
            {t('confirm.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.confirm} onSubmit={send} noValidate>
        <p>{t('confirm.lead')}</p>
        <TextField
          label={t('confirm.code')}
          hint={t('confirm.hint')}
          error={errors.textOf('Code') ?? refusal}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onChange={(event) => {
            errors.set({});
            setRefusal(undefined);
            setCode(event.target.value);
          }}
        />
      </form>
    </Dialog>
  );
}
