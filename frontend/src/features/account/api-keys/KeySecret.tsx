// The secret of a new key, shown once, with a sample call.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { Scope } from '@/core';
import { API_BASE } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { CodeBlock } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import s from '../account.module.css';

/** A read-only sample call that the key's scopes permit. */
const TRIES: [Scope, string][] = [
  ['proxies:read', 'Ips/userGetUserVerPlan'],
  ['traffic:read', 'Traffic/GetTraffic'],
  ['billing:read', 'User/GetWallet'],
  ['account:read', 'User/GetUserInfo'],
];

export function KeySecret({ added, onClose }: { added: Schemas['ApiKeyWithSecret']; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const { ApiKey: key, Secret: secret } = added;
  const call = TRIES.find(([scope]) => key.Scopes.includes(scope))?.[1];
  const address = `${window.location.origin}${API_BASE}/${call}`;
  const command = `curl -X POST "${address}" -H "Token: ${secret}" -H "Content-Type: application/json" -d "{}"`;
  return (
    <Dialog
      open
      shownOnce
      wide
      onClose={onClose}
      title={t('keys.added', { Name: key.Name })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <Notice tone="warn">{t('keys.once')}</Notice>
        <dl className={s.values}>
          <div>
            <dt>{t('keys.secret')}</dt>
            <dd>
              <Copied text={secret} label={t('keys.copySecret')} />
              <small>{t('keys.secretHint')}</small>
            </dd>
          </div>
        </dl>
        {call && (
          <div className={s.try}>
            <p>{t('keys.try')}</p>
            <CodeBlock text={command} label={t('keys.command')} copyLabel={t('keys.copyCommand')} />
          </div>
        )}
        <p className={s.soft}>
          <a href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
            {t('keys.docs')}
          </a>
        </p>
      </div>
    </Dialog>
  );
}
