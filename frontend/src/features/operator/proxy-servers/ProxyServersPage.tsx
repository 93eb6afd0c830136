// The shop's proxy servers, for operators, and their rejected usage records in a second tab.
import { Plus } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useMay } from '@/stores/may';
import { Button, ButtonLink } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { AddDialog } from './AddDialog';
import { AssignDialog } from './AssignDialog';
import s from './proxy-servers.module.css';
import { REJECTED, VIEW_KEY } from './proxyServers';
import { RejectedList } from './RejectedList';
import { RemoveDialog, RotateDialog } from './ServerDialogs';
import { type DialogState, ServerList } from './ServerList';

export function ProxyServersPage() {
  const { t } = useTranslation(['proxy_servers', 'nav']);
  const [parameters, setParameters] = useSearchParams();
  const may = useMay();
  const maySeeRejected = may('Operator/GetRejectedUsageList');
  const view = maySeeRejected && parameters.get(VIEW_KEY) === REJECTED ? REJECTED : 'servers';
  const [dialog, setDialog] = useState<DialogState>();
  const close = () => setDialog(undefined);
  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          <ButtonLink to="/status">{t('nav:status')}</ButtonLink>
          {may('Operator/AddProxyServer') && (
            <Button variant="primary" icon={<Plus size={17} />} onClick={() => setDialog({ action: 'add' })}>
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      {maySeeRejected && (
        <div className={s.tabs}>
          <SegmentedControl
            label={t('view.label')}
            value={view}
            segments={[
              { value: 'servers', label: t('view.servers') },
              { value: REJECTED, label: t('view.rejected') },
            ]}
            // Filters and pages belong to one view.
            onChange={(next) => setParameters(next === REJECTED ? { [VIEW_KEY]: REJECTED } : {}, { replace: true })}
          />
        </div>
      )}
      {view === REJECTED ? <RejectedList /> : <ServerList onOpenDialog={setDialog} />}
      {dialog?.action === 'add' && <AddDialog onClose={close} />}
      {dialog?.action === 'assign' && <AssignDialog server={dialog.server} onClose={close} />}
      {dialog?.action === 'rotate' && <RotateDialog server={dialog.server} onClose={close} />}
      {dialog?.action === 'remove' && <RemoveDialog server={dialog.server} onClose={close} />}
    </Page>
  );
}
