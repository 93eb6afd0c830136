// Banner on every operator screen while the shop has a problem.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { alarmsQuery } from '@/api/operator';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import s from './alarms.module.css';

const POLL_MS = 600_000;

/** What to run on the server. */
const COMMANDS = { books: 'postern ledger verify', closed_accounts: 'postern account paid-back NAME' };

export function AlarmBanner() {
  const { t } = useTranslation();
  const alarms = useQuery({
    ...alarmsQuery,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
  });
  if (!alarms.data?.length) return null;
  return (
    <div className={s.alarms}>
      {alarms.data.map((alarm) => (
        <Notice key={alarm.Alarm} tone="bad">
          <strong>{t(`alarm.${alarm.Alarm}`)}</strong>
          <p>
            {fillText((marks) => t(`alarm.hint.${alarm.Alarm}`, { Time: alarm.CheckedAt, ...marks }), {
              Command: <code>{COMMANDS[alarm.Alarm]}</code>,
            })}
          </p>
          <ul lang="en">
            {alarm.Problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      ))}
    </div>
  );
}
