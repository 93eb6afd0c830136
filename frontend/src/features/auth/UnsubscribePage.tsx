// The screen /unsubscribe, linked from emails: confirms before unsubscribing from a type of email.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CallError, post, type Schemas } from '@/api/client';
import { Button, ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { ErrorState } from '@/ui/State';
import { AuthFrame } from './AuthFrame';
import s from './auth.module.css';
import { useOnce } from './useOnce';

type Mails = Schemas['Unsubscribed'];

export function UnsubscribePage() {
  const { t } = useTranslation('notifications');
  const [parameters] = useSearchParams();
  const token = parameters.get('token') ?? '';
  const [mails, setMails] = useState<Mails>();
  const [failure, setFailure] = useState<'unknown' | 'network'>();
  const [isBusy, setBusy] = useState(false);

  const send = async (isDry: boolean) => {
    setFailure(undefined);
    setBusy(true);
    try {
      setMails(await post('Notifications/Unsubscribe', { Token: token, DryRun: isDry }, { silent: true }));
    } catch (error) {
      setFailure(error instanceof CallError && error.code !== undefined ? 'unknown' : 'network');
    } finally {
      setBusy(false);
    }
  };
  useOnce(() => send(true));

  const isDone = mails !== undefined && !mails.ByMail;
  const title = isDone ? t('unsubscribe.done') : t('unsubscribe.title');
  return (
    <AuthFrame title={title}>
      <div className={s.form}>
        <h1>{failure === 'unknown' ? t('unsubscribe.unknown') : title}</h1>
        {failure === 'unknown' && <Notice tone="bad">{t('unsubscribe.unknownHint')}</Notice>}
        {failure === 'network' && <ErrorState onRetry={() => send(mails === undefined)} />}
        {!mails && !failure && <LoadingState rows={2} />}
        {mails && !failure && <About mails={mails} isDone={isDone} />}
        {mails?.ByMail && !failure && (
          <Button variant="primary" size="large" wide loading={isBusy} onClick={() => send(false)}>
            {t('unsubscribe.submit')}
          </Button>
        )}
        {(isDone || failure === 'unknown') && (
          <ButtonLink to="/" size="large" wide>
            {t('unsubscribe.toShop')}
          </ButtonLink>
        )}
      </div>
    </AuthFrame>
  );
}

function About({ mails, isDone }: { mails: Mails; isDone: boolean }) {
  const { t } = useTranslation('notifications');
  const text = t as unknown as (key: string) => string;
  const values = { Email: mails.Email, Kind: text(`kind.${mails.Kind}.name`) };
  return isDone ? <p role="status">{t('unsubscribe.doneHint', values)}</p> : <p>{t('unsubscribe.ask', values)}</p>;
}
