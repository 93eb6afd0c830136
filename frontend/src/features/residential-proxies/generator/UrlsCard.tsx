// List URLs, from which programs fetch a list without signing in: create, show usage, revoke.
import { LinkSimple, Trash } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createUrl, type EndpointListUrl, type EndpointSettings, revokeUrl, urlsQuery } from '@/api/endpoints';
import type { ProxyUserView } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { PRESET_NAME_MAX_LENGTH } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Entry, EntryList } from '@/ui/EntryList';
import { TextField } from '@/ui/Field';
import { ConfirmDialog, FormDialog } from '@/ui/FormDialog';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './generator.module.css';
import { useSummary } from './useSummary';

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
  const urls = useQuery(urlsQuery);
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
        {urls.isError && !urls.data && <ErrorState error={urls.error} onRetry={() => urls.refetch()} />}
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
  const call = useCall(createUrl);
  const summary = useSummary();
  const [name, setName] = useState('');
  const body = { Name: name.trim(), ProxyUserId: user.ProxyUserId, Settings: settings };
  const created = call.answer?.Url;
  if (created) {
    const command = `curl "${created}"`;
    return (
      <Dialog
        open
        shownOnce
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
    <FormDialog
      call={call}
      title={t('urls.createTitle')}
      action={t('urls.submit')}
      disabled={!name.trim()}
      className={s.form}
      onSubmit={(event) => call.submit(event, { body })}
      onClose={onClose}
    >
      <TextField
        label={t('urls.name')}
        hint={t('urls.nameHint')}
        error={
          call.errors.textOf('Name') ??
          call.errors.textOf('Settings') ??
          call.errors.textOf('Template') ??
          call.errors.textOf('ProxyUserId')
        }
        autoComplete="off"
        maxLength={PRESET_NAME_MAX_LENGTH}
        value={name}
        onChange={(event) => {
          call.errors.set({});
          setName(event.target.value);
        }}
      />
      <p className={s.soft}>{`${user.Name}\u00a0· ${summary(settings)}`}</p>
      <Notice>{t('urls.secret')}</Notice>
    </FormDialog>
  );
}

function RevokeUrl({ url, onClose }: { url: EndpointListUrl; onClose: () => void }) {
  const { t } = useTranslation(['generator', 'common']);
  const call = useCall(revokeUrl);
  const onDone = () => {
    showToast(t('urls.revoked', { Name: url.Name }), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('urls.revokeTitle', { Name: url.Name })}
      action={t('urls.revoke')}
      danger
      onConfirm={() => call.run({ UrlId: url.UrlId }, onDone)}
      onClose={onClose}
    >
      <p>{t('urls.revokeHint')}</p>
    </ConfirmDialog>
  );
}
