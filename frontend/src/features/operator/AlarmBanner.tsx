// Banner on every operator screen while the shop has a problem.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import s from './alarms.module.css';

const POLL_MS = 600_000;

export function AlarmBanner() {
  const { t } = useTranslation();
  const alarms = useQuery({
    queryKey: ['alarms'],
    queryFn: () => post('Operator/GetAlarmList', undefined, { silent: true }),
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
            {fillText((marks) => t('alarm.since', { Time: alarm.CheckedAt, ...marks }), {
              Command: <code>postern ledger verify</code>,
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
