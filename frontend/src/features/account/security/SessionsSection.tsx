// Active sessions, which can be ended one by one or all others at once.
import { Desktop, DeviceMobile, TerminalWindow } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { revokeOtherSessions, revokeSession, sessionsQuery } from '@/api/account';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Section } from '@/ui/Section';
import { Badge, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';
import { useDeviceText } from './deviceText';

type Session = Schemas['Session'];

export function SessionsSection() {
  const { t } = useTranslation('account');
  const revoke = useCall(revokeSession);
  const revokeOthers = useCall(revokeOtherSessions);
  const sessions = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const list = sessions.data?.Sessions;
  return (
    <Section
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      footer={
        list &&
        list.length > 1 && (
          <Button variant="danger" onClick={() => setAsking(true)}>
            {t('sessions.revokeOthers')}
          </Button>
        )
      }
    >
      {sessions.isError && !list && <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <LoadingState rows={3} />}
      {list && (
        <ul className={s.rows} aria-label={t('sessions.title')} aria-busy={sessions.isFetching}>
          {list.map((session) => (
            <Row
              key={session.SessionId}
              session={session}
              isBusy={revoke.isBusy}
              onRevoke={() =>
                revoke.run({ SessionId: session.SessionId }, () => showToast(t('sessions.revoked'), 'success'))
              }
            />
          ))}
        </ul>
      )}
      {isAsking && (
        <ConfirmDialog
          call={revokeOthers}
          title={t('sessions.othersTitle')}
          action={t('sessions.revokeOthers')}
          danger
          onConfirm={() =>
            revokeOthers.run(undefined, () => {
              showToast(t('sessions.othersRevoked'), 'success');
              setAsking(false);
            })
          }
          onClose={() => setAsking(false)}
        >
          <p>{t('sessions.othersHint')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const PHONES = /iPhone|iPad|Android/;
const COMPUTERS = /Windows|macOS|Linux|ChromeOS/;

function Row({ session, isBusy, onRevoke }: { session: Session; isBusy: boolean; onRevoke: () => void }) {
  const { t } = useTranslation('account');
  const device = useDeviceText()(session.Device);
  const Icon = PHONES.test(session.Device)
    ? DeviceMobile
    : COMPUTERS.test(session.Device) || !session.Device
      ? Desktop
      : TerminalWindow;
  return (
    <li>
      <Icon size={22} aria-hidden="true" />
      <div>
        <p className={s.rowTitle}>
          <strong>{device}</strong>
          {session.IsCurrent && <Badge tone="good">{t('sessions.current')}</Badge>}
        </p>
        <p className={s.facts}>
          {session.Place && <span>{session.Place}</span>}
          <span>{session.Address}</span>
          <span>
            {fillText((marks) => t('sessions.lastUsed', marks), { Time: <DateText value={session.LastUsedAt} /> })}
          </span>
          <span>
            {fillText((marks) => t('sessions.since', marks), { Time: <DateText value={session.CreatedAt} /> })}
          </span>
        </p>
      </div>
      {!session.IsCurrent && (
        <Button
          size="small"
          disabled={isBusy}
          aria-label={t('sessions.revokeNamed', { Device: device })}
          onClick={onRevoke}
        >
          {t('sessions.revoke')}
        </Button>
      )}
    </li>
  );
}
