// The screen /my-account/api-keys: the account's API keys.
import { Key, PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKeysQuery } from '@/api/account';
import type { Schemas } from '@/api/client';
import { API_BASE, MAX_API_KEYS } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { docsUrl } from '@/ui/docs';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, UntilText } from '@/ui/texts';
import { useOpenAddForm } from '@/ui/useOpenAddForm';
import s from './api-keys.module.css';
import { KeyDialog } from './KeyDialog';
import { KeySecret } from './KeySecret';
import { RevokeKey } from './RevokeKey';

type ApiKey = Schemas['ApiKeyView'];
type Doing = { add: true } | { edit: ApiKey } | { revoke: ApiKey } | { added: Schemas['ApiKeyWithSecret'] };

export function ApiKeysPage() {
  const { t } = useTranslation('account');
  const [doing, setDoing] = useState<Doing>();
  const keys = useQuery(apiKeysQuery);
  const close = () => setDoing(undefined);
  const isFull = (keys.data?.length ?? 0) >= MAX_API_KEYS;
  useOpenAddForm(() => setDoing({ add: true }), keys.data !== undefined && !isFull);
  const add = (
    <Button
      variant="primary"
      icon={<Plus size={16} />}
      disabled={!keys.data || isFull}
      onClick={() => setDoing({ add: true })}
    >
      {t('keys.add')}
    </Button>
  );
  return (
    <Page
      title={t('keys.title')}
      description={
        <>
          {t('keys.lead')}{' '}
          <a href={docsUrl('api')} target="_blank" rel="noreferrer">
            {t('keys.guide')}
          </a>
          {' · '}
          <a href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
            {t('keys.docs')}
          </a>
        </>
      }
      actions={add}
    >
      <Card>
        {keys.isError && !keys.data && <ErrorState error={keys.error} onRetry={() => keys.refetch()} />}
        {keys.isPending && <LoadingState rows={5} />}
        {keys.data?.length === 0 && (
          <EmptyState title={t('keys.empty')} action={add}>
            {t('keys.emptyHint')}
          </EmptyState>
        )}
        {keys.data && keys.data.length > 0 && (
          <ul className={s.keys} aria-label={t('keys.title')} aria-busy={keys.isFetching}>
            {keys.data.map((key) => (
              <Row
                key={key.ApiKeyId}
                apiKey={key}
                onEdit={() => setDoing({ edit: key })}
                onRevoke={() => setDoing({ revoke: key })}
              />
            ))}
          </ul>
        )}
        {isFull && <p className={s.note}>{t('keys.full', { Max: MAX_API_KEYS })}</p>}
      </Card>
      {doing && ('add' in doing || 'edit' in doing) && (
        <KeyDialog
          apiKey={'edit' in doing ? doing.edit : undefined}
          onClose={close}
          onAdded={(added) => setDoing({ added })}
        />
      )}
      {doing && 'added' in doing && <KeySecret added={doing.added} onClose={close} />}
      {doing && 'revoke' in doing && <RevokeKey apiKey={doing.revoke} onClose={close} />}
    </Page>
  );
}

interface RowProps {
  apiKey: ApiKey;
  onEdit: () => void;
  onRevoke: () => void;
}

function Row({ apiKey: key, onEdit, onRevoke }: RowProps) {
  const { t } = useTranslation(['account', 'common']);
  return (
    <li>
      <Key size={22} aria-hidden="true" />
      <div className={s.key}>
        <p className={s.name}>
          <strong>{key.Name}</strong>
          <code>{key.Prefix}…</code>
          {key.IsExpired && <Badge tone="bad">{t('keys.expired')}</Badge>}
        </p>
        <ul className={s.chips} aria-label={t('keys.scopes')}>
          {key.Scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
        <dl className={s.facts}>
          <div>
            <dt>{t('keys.from')}</dt>
            <dd>{key.Addresses.length > 0 ? key.Addresses.join(', ') : t('keys.anywhere')}</dd>
          </div>
          <div>
            <dt>{t('keys.lastUsed')}</dt>
            <dd>
              {key.LastUsedAt ? (
                <>
                  <DateText value={key.LastUsedAt} />
                  {key.LastUsedAddress && <small>{key.LastUsedAddress}</small>}
                </>
              ) : (
                t('keys.neverUsed')
              )}
            </dd>
          </div>
          <div>
            <dt>{t('keys.expiry')}</dt>
            <dd>{key.ExpiresAt ? <UntilText value={key.ExpiresAt} /> : t('keys.never')}</dd>
          </div>
          <div>
            <dt>{t('keys.created')}</dt>
            <dd>
              <DateText value={key.CreatedAt} />
            </dd>
          </div>
        </dl>
      </div>
      <div className={s.tools}>
        <IconButton size="small" label={t('keys.editNamed', { Name: key.Name })} onClick={onEdit}>
          <PencilSimple size={16} />
        </IconButton>
        <IconButton size="small" label={t('keys.revokeNamed', { Name: key.Name })} onClick={onRevoke}>
          <Trash size={16} />
        </IconButton>
      </div>
    </li>
  );
}
