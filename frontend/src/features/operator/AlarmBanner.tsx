// Banner on every operator screen while the shop has a problem.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { alarmsQuery } from '@/api/operator';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import s from './alarms.module.css';

const POLL_MS = 60_000;

/** What to run on the server. */
const COMMANDS: Partial<Record<Schemas['AlarmKind'], string>> = {
  books: 'postern ledger verify',
  closed_accounts: 'postern account paid-back NAME',
};

export function AlarmBanner() {
  const { t } = useTranslation(['common', 'nav']);
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
              Screen: <Link to={`${OPERATOR_PATH}/proxy-servers`}>{t('nav:operator-proxy-servers')}</Link>,
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
