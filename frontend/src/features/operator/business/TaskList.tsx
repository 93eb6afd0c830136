// What waits for a person, each with a link to where it is done.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TaskView } from '@/api/business';
import { COUNTED_ROWS, MailState, OPERATOR_PATH, type OperatorTask } from '@/core/constants.gen';
import { fillText } from '@/ui/fillText';
import { useNumber } from '@/ui/texts';
import s from './business.module.css';

/** Alarms have no screen: their banner is above all of them. */
const LEADS_TO: Partial<Record<OperatorTask, string>> = {
  transfers: '/payments?view=transfers',
  payment_cases: '/payments?view=cases',
  conversations: '/support',
  referral_reviews: '/referrals',
  rejected_usage: '/proxy-servers?view=rejected',
  price_changes: '/prices',
  stock: '/inventory?view=stock',
  failed_mails: `/mails?State=${MailState.Failed}`,
  failing_jobs: '/system',
};

export function TaskList({ tasks }: { tasks: readonly TaskView[] }) {
  const { t } = useTranslation('business');
  const number = useNumber();
  if (tasks.length === 0) return <p className={s.soft}>{t('tasks.none')}</p>;
  return (
    <ul className={s.tasks}>
      {tasks.map(({ Task, Count: count }) => {
        const path = LEADS_TO[Task];
        const shown = count > COUNTED_ROWS ? t('tasks.atLeast', { Count: COUNTED_ROWS }) : number(count);
        const text = fillText((marks) => t(`tasks.of.${Task}`, { count, ...marks }), {
          Number: <strong>{shown}</strong>,
        });
        return <li key={Task}>{path ? <Link to={OPERATOR_PATH + path}>{text}</Link> : text}</li>;
      })}
    </ul>
  );
}
