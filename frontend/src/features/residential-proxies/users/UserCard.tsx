// A proxy user as a low row of the list on phones, so that several are visible.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProxyUserView } from '@/api/proxyUsers';
import { fillText } from '@/ui/fillText';
import { isToCome } from '@/ui/ProductBadges';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { UntilText } from '@/ui/texts';
import { Sparkline } from './Sparkline';
import {
  Countries,
  LastSeenLine,
  LimitsLine,
  OldPassword,
  Password,
  Resets,
  StateBadge,
  UsedBar,
  UsedText,
} from './UserCells';
import s from './users.module.css';

export function UserCard({ user, actions }: { user: ProxyUserView; actions: ReactNode }) {
  const { t } = useTranslation('proxy_users');
  return (
    <RowCard low className={s.lowCard}>
      <RowLine>
        <span className={s.nameAndNote}>
          <strong>{user.Name}</strong>
          {user.Note && <small title={user.Note}>{user.Note}</small>}
        </span>
        <RowActions>{actions}</RowActions>
      </RowLine>
      <RowLine>
        <StateBadge state={user.State} />
        <UsedText user={user} />
      </RowLine>
      <UsedBar user={user} />
      <LimitsLine user={user} />
      <RowLine>
        <span className={s.passwordAndCountries}>
          <Password user={user} />
          {user.Countries.length > 0 && <Countries codes={user.Countries} />}
        </span>
        <Sparkline days={user.DailyBytes} />
      </RowLine>
      {isToCome(user.OldPasswordUntil) && (
        <RowLine soft className={s.times}>
          <OldPassword user={user} />
        </RowLine>
      )}
      <RowLine soft className={s.times}>
        <span>
          {user.ExpiresAt ? (
            fillText((marks) => t('list.expiresLine', marks), { Time: <UntilText value={user.ExpiresAt} /> })
          ) : (
            <Resets user={user} />
          )}
        </span>
        <LastSeenLine user={user} />
      </RowLine>
    </RowCard>
  );
}
