// List URLs, from which programs fetch a list without signing in: create, show usage, revoke.
import { LinkSimple, Trash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { EndpointListUrl, EndpointSettings, ProxyUserView } from '@/api/proxyUsers';
import { PRESET_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Entry, EntryList } from '@/ui/EntryList';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './generator.module.css';
import { useSummary } from './useSummary';

const KEY = ['endpoint-urls'];

interface UrlsCardProps {
  user: ProxyUserView | undefined;
  settings: EndpointSettings;
  /** Whether the settings are valid. */
  isReady: boolean;
}

export function UrlsCard({ user, settings, isReady }: UrlsCardProps) {
  const { t } = useTranslation('generator');
  const summary = useSummary();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<EndpointListUrl>();
  const urls = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => post('Endpoints/GetUrlList', undefined, { signal, silent: true }),
  });
  return (
    <Card
      title={t('urls.title')}
      aside={
        <Button
          size="small"
          icon={<LinkSimple size={16} />}
          disabled={!user || !isReady}
          onClick={() => setCreating(true)}
        >
          {t('urls.create')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('urls.lead')}</p>
        {urls.isError && !urls.data && <ErrorState onRetry={() => urls.refetch()} />}
        {urls.isPending && <LoadingState rows={2} />}
        {urls.data?.length === 0 && <p className={s.soft}>{t('urls.empty')}</p>}
        {urls.data && urls.data.length > 0 && (
          <EntryList label={t('urls.title')}>
            {urls.data.map((url) => (
              <Entry
                key={url.UrlId}
                name={<strong>{url.Name}</strong>}
                note={`${url.ProxyUserName}\u00a0· ${summary(url.Settings)}`}
                aside={
                  <small>
                    {url.LastUsedAt ? (
                      <>
                        {t('urls.uses', { count: url.Uses })} · <DateText value={url.LastUsedAt} />
                        {url.LastAddress && ` · ${url.LastAddress}`}
                      </>
                    ) : (
                      t('urls.neverUsed')
                    )}
                  </small>
                }
              >
                <IconButton
                  size="small"
                  label={t('urls.revokeNamed', { Name: url.Name })}
                  onClick={() => setRevoking(url)}
                >
                  <Trash size={16} />
                </IconButton>
              </Entry>
            ))}
          </EntryList>
        )}
      </div>
      {isCreating && user && <CreateUrl user={user} settings={settings} onClose={() => setCreating(false)} />}
      {revoking && <RevokeUrl url={revoking} onClose={() => setRevoking(undefined)} />}
    </Card>
  );
}

interface CreateUrlProps {
  user: ProxyUserView;
  settings: EndpointSettings;
  onClose: () => void;
}

function CreateUrl({ user, settings, onClose }: CreateUrlProps) {
  const { t } = useTranslation(['generator', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const formId = useId();
  const summary = useSummary();
  const [name, setName] = useState('');
  const [created, setCreated] = useState<string>();
  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy || !name.trim()) return;
    const body = { Name: name.trim(), ProxyUserId: user.ProxyUserId, Settings: settings };
    try {
      const { Url } = await once.send(body, (options) => post('Endpoints/CreateUrl', body, options));
      setCreated(Url);
      queryClient.invalidateQueries({ queryKey: KEY });
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  if (created) {
    const command = `curl '${created}'`;
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('urls.created', { Name: name.trim() })}
        actions={
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        }
      >
        <div className={s.form}>
          <Notice tone="warn">{t('urls.once')}</Notice>
          <dl className={s.created}>
            <dt>URL</dt>
            <dd>
              <code>{created}</code>
              <CopyButton text={created} label={t('urls.copy')} />
            </dd>
            <dt>{t('urls.command')}</dt>
            <dd>
              <code>{command}</code>
              <CopyButton text={command} label={t('urls.copyCommand')} />
            </dd>
          </dl>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('urls.createTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={!name.trim()} loading={once.isBusy}>
            {t('urls.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={create} noValidate>
        <TextField
          label={t('urls.name')}
          hint={t('urls.nameHint')}
          error={errors.textOf('Name') ?? errors.textOf('Settings') ?? errors.textOf('ProxyUserId')}
          autoComplete="off"
          maxLength={PRESET_NAME_MAX_LENGTH}
          value={name}
          onChange={(event) => {
            errors.set({});
            setName(event.target.value);
          }}
        />
        <p className={s.soft}>{`${user.Name}\u00a0· ${summary(settings)}`}</p>
        <Notice>{t('urls.secret')}</Notice>
      </form>
    </Dialog>
  );
}

function RevokeUrl({ url, onClose }: { url: EndpointListUrl; onClose: () => void }) {
  const { t } = useTranslation(['generator', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const revoke = async () => {
    const body = { UrlId: url.UrlId };
    try {
      await once.send(body, (options) => post('Endpoints/RevokeUrl', body, options));
      showToast(t('urls.revoked', { Name: url.Name }), 'success');
      onClose();
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
    queryClient.invalidateQueries({ queryKey: KEY });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('urls.revokeTitle', { Name: url.Name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="danger" loading={once.isBusy} onClick={revoke}>
            {t('urls.revoke')}
          </Button>
        </>
      }
    >
      <p>{t('urls.revokeHint')}</p>
    </Dialog>
  );
}
