// Active sessions, which can be ended one by one or all others at once.
import { Desktop, DeviceMobile, TerminalWindow } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallOptions, post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { Section } from '@/ui/Section';
import { Badge, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../account.module.css';
import { useRefreshed, useSessions } from '../queries';
import { useDeviceText } from './deviceText';

type Session = Schemas['Session'];

export function SessionsSection() {
  const { t } = useTranslation('account');
  const once = useIdempotentCall();
  const refreshed = useRefreshed();
  const sessions = useSessions();
  const [isAsking, setAsking] = useState(false);
  const list = sessions.data?.Sessions;
  /** Returns whether it succeeded. */
  const revoke = async (asked: unknown, call: (options: CallOptions) => Promise<unknown>, done: string) => {
    try {
      await once.send(asked, call);
      showToast(done, 'success');
      return true;
    } catch {
      // The API client has shown the error toast; the list is refetched.
      return false;
    } finally {
      refreshed();
    }
  };
  const revokeOne = ({ SessionId }: Session) =>
    revoke(SessionId, (options) => post('User/RevokeSession', { SessionId }, options), t('sessions.revoked'));
  const revokeOthers = async () => {
    const call = (options: CallOptions) => post('User/RevokeOtherSessions', undefined, options);
    if (await revoke('others', call, t('sessions.othersRevoked'))) setAsking(false);
  };
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
      {sessions.isError && !list && <ErrorState onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <LoadingState rows={3} />}
      {list && (
        <ul className={s.rows} aria-label={t('sessions.title')} aria-busy={sessions.isFetching}>
          {list.map((session) => (
            <Row key={session.SessionId} session={session} isBusy={once.isBusy} onRevoke={() => revokeOne(session)} />
          ))}
        </ul>
      )}
      {isAsking && (
        <Dialog
          open
          onClose={() => setAsking(false)}
          title={t('sessions.othersTitle')}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{t('cancel', { ns: 'common' })}</Button>
              <Button variant="danger" loading={once.isBusy} onClick={revokeOthers}>
                {t('sessions.revokeOthers')}
              </Button>
            </>
          }
        >
          <p>{t('sessions.othersHint')}</p>
        </Dialog>
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
