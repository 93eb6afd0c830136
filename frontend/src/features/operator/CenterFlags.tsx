// What an account's details screen shows: each switch is saved at once.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { Toggle } from '@/ui/Controls';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './accounts.module.css';

type Flags = Pick<Schemas['AccountDetail'], 'ShowInvitationCode' | 'ShowAccessToken'>;

export function CenterFlags({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const accountId = detail.Account.AccountId;
  // Optimistic state while saving.
  const [asked, setAsked] = useState<Partial<Flags>>({});
  const shown: Flags = {
    ShowInvitationCode: detail.ShowInvitationCode,
    ShowAccessToken: detail.ShowAccessToken,
    ...asked,
  };
  const set = async (change: Partial<Flags>) => {
    if (once.isBusy) return;
    setAsked(change);
    const body = { AccountId: accountId, ...shown, ...change };
    try {
      const saved = await once.send(body, (options) => post('Operator/SetAccountFlags', body, options));
      queryClient.setQueryData(['account', accountId], saved);
      showToast(t('flags.saved'), 'success');
    } catch {
      // The API client has shown the error toast; the switch reverts.
    } finally {
      setAsked({});
    }
  };
  return (
    <section className={s.section}>
      <h3>{t('flags.title')}</h3>
      <Toggle
        label={t('flags.invitationCode')}
        checked={shown.ShowInvitationCode}
        busy={once.isBusy}
        onChange={(isOn) => set({ ShowInvitationCode: isOn })}
      />
      <Toggle
        label={t('flags.accessToken')}
        checked={shown.ShowAccessToken}
        busy={once.isBusy}
        onChange={(isOn) => set({ ShowAccessToken: isOn })}
      />
      <p className={s.soft}>{t('flags.accessTokenHint')}</p>
    </section>
  );
}
