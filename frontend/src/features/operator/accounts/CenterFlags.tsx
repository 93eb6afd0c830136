// What an account's details screen shows: each switch is saved at once.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAccountFlags } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { Toggle } from '@/ui/Controls';
import { Card } from '@/ui/Page';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

type Flags = Pick<Schemas['AccountDetail'], 'ShowInvitationCode' | 'ShowAccessToken'>;

export function CenterFlags({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  const call = useCall(setAccountFlags);
  const accountId = detail.Account.AccountId;
  const shown: Flags = {
    ShowInvitationCode: detail.ShowInvitationCode,
    ShowAccessToken: detail.ShowAccessToken,
    // Optimistic state while saving.
    ...call.sending,
  };
  const set = (change: Partial<Flags>) =>
    call.run({ AccountId: accountId, ...shown, ...change }, () => showToast(t('flags.saved'), 'success'));
  return (
    <Card title={t('flags.title')}>
      <div className={s.form}>
        <Toggle
          label={t('flags.invitationCode')}
          checked={shown.ShowInvitationCode}
          busy={call.isBusy}
          onChange={(isOn) => set({ ShowInvitationCode: isOn })}
        />
        <Toggle
          label={t('flags.accessToken')}
          checked={shown.ShowAccessToken}
          busy={call.isBusy}
          onChange={(isOn) => set({ ShowAccessToken: isOn })}
        />
        <p className={s.soft}>{t('flags.accessTokenHint')}</p>
      </div>
    </Card>
  );
}
