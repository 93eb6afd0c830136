// Traffic by user, country or target, largest first, with shares.
import { useTranslation } from 'react-i18next';
import type { UsageShare } from '@/api/usage';
import { core, screenRules } from '@/core';
import { UNKNOWN_COUNTRY } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { Flag } from '@/ui/Flag';
import { EmptyState } from '@/ui/State';
import type { Dimension } from './dimensions';
import s from './usage.module.css';

interface SplitTableProps {
  by: Dimension;
  shares: readonly UsageShare[];
  total: number;
}

export function SplitTable({ by, shares, total }: SplitTableProps) {
  const { t, i18n } = useTranslation('usage');
  const bytes = (amount: number) => screenRules().displayBytes(amount);
  if (shares.length === 0) return <EmptyState title={t('empty')} />;
  return (
    <table className={s.split}>
      <caption className="visually-hidden">{t(`split.${by}`)}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`split.${by}`)}</th>
          <th scope="col">{t('share')}</th>
          <th scope="col">{t('total')}</th>
          <th scope="col" className={s.wideOnly}>
            {t('requests')}
          </th>
          <th scope="col" className={s.wideOnly}>
            {t('previous')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={share.Name}>
            <th scope="row">
              <Name by={by} share={share} />
            </th>
            <td>
              <progress max={Math.max(1, total)} value={share.Bytes} aria-hidden="true" />
            </td>
            <td>{bytes(share.Bytes)}</td>
            <td className={s.wideOnly}>{new Intl.NumberFormat(i18n.language).format(share.Requests)}</td>
            <td className={s.wideOnly}>{bytes(share.PreviousBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ by, share }: { by: Dimension; share: UsageShare }) {
  const { t } = useTranslation('usage');
  if (!share.Name) return <span className={s.soft}>{t('rest')}</span>;
  if (by === 'target') return <span className={s.name}>{share.Name}</span>;
  if (by === 'node') return <code>{share.Label || t('formerNode', { Id: share.Name })}</code>;
  if (by === 'user') return <span className={s.name}>{share.Label || t('deletedUser', { Id: share.Name })}</span>;
  if (share.Name === UNKNOWN_COUNTRY) return <span className={s.soft}>{t('unknownCountry')}</span>;
  return (
    <span className={s.country}>
      <Flag country={share.Name} />
      {core().countryName(share.Name, currentLanguage())}
    </span>
  );
}
