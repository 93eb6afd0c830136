// A dialog with one form, its general error, and the submit button.
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import s from './account.module.css';
import type { Form, Sending } from './useForm';

interface FormDialogProps<T> extends Sending<T> {
  form: Form;
  title: string;
  /** Label of the submit button. */
  action: string;
  /** Destructive: the button is styled accordingly. */
  danger?: boolean;
  disabled?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog<T>(props: FormDialogProps<T>) {
  const { form, title, action, danger, disabled, onClose, children, ...sending } = props;
  const { t } = useTranslation('common');
  const formId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            form={formId}
            variant={danger ? 'danger' : 'primary'}
            disabled={disabled}
            loading={form.isBusy}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} noValidate onSubmit={(event) => form.submit(event, sending)}>
        {children}
        {form.message && <Notice tone="bad">{form.message}</Notice>}
      </form>
    </Dialog>
  );
}
