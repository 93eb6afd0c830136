// The state of a mail: waiting, sent or given up; how often it was tried, and when it is tried next.
import { useTranslation } from 'react-i18next';
import type { Mail } from '@/api/system';
import { MailState } from '@/core/constants.gen';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';
import { localTime, untilText } from '@/ui/texts';

const hasFailedOnce = ({ State, Attempts }: Mail) => State === MailState.Queued && Attempts > 0;

function toneOf(mail: Mail): Tone {
  if (mail.State === MailState.Sent) return 'good';
  if (mail.State === MailState.Failed) return 'bad';
  return hasFailedOnce(mail) ? 'warn' : 'accent';
}

export function StateBadge({ mail }: { mail: Mail }) {
  const { t } = useTranslation('mails');
  return <Badge tone={toneOf(mail)}>{t(`state.${mail.State}`)}</Badge>;
}

/** How often a mail was tried in vain, and when it is tried next; undefined if it was not. */
export function useAttemptsText() {
  const { t, i18n } = useTranslation('mails');
  return (mail: Mail): string | undefined => {
    if (mail.State === MailState.Failed) return t('attempts', { count: mail.Attempts });
    if (!hasFailedOnce(mail)) return undefined;
    const tried = t('attempts', { count: mail.Attempts });
    if (!mail.NextAttemptAt) return tried;
    const isDue = localTime(mail.NextAttemptAt).getTime() <= Date.now();
    const next = isDue ? t('nextNow') : t('next', { Time: untilText(mail.NextAttemptAt, i18n.language) });
    return t('attemptsAndNext', { Attempts: tried, Next: next });
  };
}
