// Asks a customer to accept the seller's current terms and privacy policy. It cannot be closed: the other way out is to sign out.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptTexts, type LegalTextRef } from '@/api/legal';
import { useCall } from '@/api/useCall';
import { LEGAL_PATHS } from '@/stores/legal';
import { refreshInfo, signOut, useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { dayOf } from '@/ui/texts';
import s from './announcements.module.css';

export function AcceptTexts({ texts }: { texts: LegalTextRef[] }) {
  const { t } = useTranslation(['legal', 'common']);
  const call = useCall(acceptTexts, { silent: true });
  const [isLeaving, setLeaving] = useState(false);
  const accept = () =>
    call.run({ AcceptedTexts: texts.map(({ LegalTextId }) => LegalTextId) }, (missing) => {
      // A newer version may have been published meanwhile: it is asked about next.
      const { info } = useUserStore.getState();
      if (info) useUserStore.setState({ info: { ...info, TextsToAccept: missing } });
      return refreshInfo();
    });
  const leave = async () => {
    setLeaving(true);
    await signOut();
  };
  return (
    <Dialog
      open
      title={t('accept.title')}
      actions={
        <>
          <Button loading={isLeaving} onClick={leave}>
            {t('common:signOut')}
          </Button>
          <Button variant="primary" loading={call.isBusy} onClick={accept}>
            {t('accept.submit')}
          </Button>
        </>
      }
    >
      <div className={s.texts}>
        <p>{t('accept.lead')}</p>
        <ul>
          {texts.map(({ LegalTextId, Kind, Version, PublishedAt }) => (
            <li key={LegalTextId}>
              <a
                href={LEGAL_PATHS[Kind]}
                target="_blank"
                rel="noopener"
                aria-label={t('accept.openNote', { Text: t(`common:legal.${Kind}`) })}
              >
                {t(`common:legal.${Kind}`)}
              </a>
              <small>{t('accept.version', { Version, Day: dayOf(PublishedAt) })}</small>
            </li>
          ))}
        </ul>
        {call.message && <Notice tone="bad">{call.message}</Notice>}
      </div>
    </Dialog>
  );
}
