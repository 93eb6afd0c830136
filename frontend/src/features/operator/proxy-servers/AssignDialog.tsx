// Assigns nodes to a proxy server for static proxies, or frees them for any.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assignNodes, type ProxyServer } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { TextAreaField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import s from './proxy-servers.module.css';

const EXAMPLE = '203.0.113.0/24';

type Carrier = 'this' | 'any';

export function AssignDialog({ server, onClose }: { server: ProxyServer; onClose: () => void }) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const call = useCall(assignNodes);
  const [Addresses, setAddresses] = useState('');
  const [carrier, setCarrier] = useState<Carrier>('this');
  const title = t('assign.title', { Name: server.Name });
  if (call.answer) {
    const { Assigned, NotFound } = call.answer;
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        actions={
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        }
      >
        <div className={s.form}>
          <Notice tone={Assigned > 0 ? 'good' : 'warn'}>{t('assign.done', { count: Assigned })}</Notice>
          {NotFound.length > 0 && (
            <Notice tone="warn">
              <p>{t('assign.notFound')}</p>
              <p className={s.networks}>{NotFound.join(', ')}</p>
            </Notice>
          )}
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      call={call}
      title={title}
      action={t('assign.submit')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, { body: { Addresses, ...(carrier === 'this' && { ServerId: server.ServerId }) } })
      }
      onClose={onClose}
    >
      <p className={s.soft}>{t('assign.what')}</p>
      <TextAreaField
        label={t('assign.addresses')}
        hint={t('assign.addressesHint', { Example: EXAMPLE })}
        rows={5}
        spellCheck={false}
        autoComplete="off"
        {...call.bind('Addresses', Addresses, setAddresses)}
      />
      <OptionList<Carrier>
        label={t('assign.carrier')}
        value={carrier}
        onChange={setCarrier}
        options={[
          { value: 'this', label: t('assign.this', { Name: server.Name }) },
          { value: 'any', label: t('assign.any') },
        ]}
      />
    </FormDialog>
  );
}
