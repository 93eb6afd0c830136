// Sends mails again, and says how many of them, and why others were left.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type Mail, resendMails } from '@/api/system';
import { useCall } from '@/api/useCall';
import { showToast } from '@/ui/toast';

const idsOf = (mails: readonly Mail[]) => mails.map(({ MailId }) => MailId);

export function useResend() {
  const { t } = useTranslation('mails');
  const call = useCall(resendMails);
  const told = ({ Resent, Left }: Schemas['MailsResent']) => {
    const done = t('resend.done', { count: Resent });
    const left = t('resend.left', { count: Left });
    if (Left === 0) showToast(done, 'success');
    else showToast(Resent > 0 ? t('resend.doneAndLeft', { Done: done, Left: left }) : left, 'warning');
  };
  return {
    resend: (mails: readonly Mail[], onDone?: () => void) =>
      call.run({ MailIds: idsOf(mails) }, (answer) => {
        told(answer);
        onDone?.();
      }),
    isSending: (mails: readonly Mail[]) => call.sending?.MailIds.join() === idsOf(mails).join(),
  };
}
