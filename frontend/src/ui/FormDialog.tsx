// Dialogs around one call: a form with its button, and a question with its answer. Both show why the server refused.
import { type FormEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { Notice } from './Notice';
import { Dialog } from './Overlay';

interface CallDialogProps {
  title: string;
  /** Label of the button that sends the call. */
  action: string;
  /** Label of the other button, if it is not "Cancel". */
  cancel?: string;
  /** Destructive: the button is styled accordingly. */
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  wide?: boolean;
  /** The call, as `useCall` returns it. */
  call: { isBusy: boolean; message: string | undefined; isUnanswered?: boolean };
  /** For a call in pieces: what stops it in between. Until then, the dialog stays open. */
  stop?: { label: string; onStop: () => void } | undefined;
  /** Above the buttons, for example how far the call has come. */
  foot?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

interface FormDialogProps extends CallDialogProps {
  /** Of the form. */
  className: string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

export function FormDialog({ className, onSubmit, children, ...dialog }: FormDialogProps) {
  const formId = useId();
  return (
    <CallDialog {...dialog} send={{ type: 'submit', form: formId }}>
      <form id={formId} className={className} onSubmit={onSubmit} noValidate>
        {children}
        <Refusal call={dialog.call} />
      </form>
    </CallDialog>
  );
}

export function ConfirmDialog({ onConfirm, children, ...dialog }: CallDialogProps & { onConfirm: () => void }) {
  return (
    <CallDialog {...dialog} send={{ type: 'button', onClick: onConfirm }}>
      {children}
      <Refusal call={dialog.call} />
    </CallDialog>
  );
}

function Refusal({ call: { message, isUnanswered } }: Pick<CallDialogProps, 'call'>) {
  const { t } = useTranslation();
  const text = message ?? (isUnanswered && t('unanswered'));
  return text && <Notice tone="bad">{text}</Notice>;
}

/** How the button sends the call. */
type Send = { type: 'submit'; form: string } | { type: 'button'; onClick: () => void };

function CallDialog(props: CallDialogProps & { send: Send }) {
  const { title, action, cancel, danger, disabled, wide = false, call, foot, send, onClose, children } = props;
  const { t } = useTranslation();
  const stop = call.isBusy ? props.stop : undefined;
  return (
    <Dialog
      open
      wide={wide}
      onClose={onClose}
      isHeld={stop !== undefined}
      title={title}
      foot={foot}
      actions={
        <>
          {stop ? (
            // The button that was pressed is disabled: the focus goes to the only one that can be.
            <Button key="stop" autoFocus onClick={stop.onStop}>
              {stop.label}
            </Button>
          ) : (
            <Button key="cancel" onClick={onClose}>
              {cancel ?? t('cancel')}
            </Button>
          )}
          <Button {...send} variant={danger ? 'danger' : 'primary'} disabled={disabled} loading={call.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
