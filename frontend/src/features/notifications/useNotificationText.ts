// The text of a notification, with formatted amounts, bytes and times.
import { useTranslation } from 'react-i18next';
import { type Currency, core } from '@/core';
import { isPositive } from '@/core/money';
import { bytesText } from '@/ui/bytes';
import type { Notification } from './rows';

const AMOUNTS = ['Total', 'Amount', 'Balance', 'Threshold', 'Limit', 'Charged', 'Owed'];
const BYTES = ['Bytes', 'LimitBytes'];

export function useNotificationText() {
  const { t, i18n } = useTranslation(['notifications', 'billing']);
  return ({ Kind, Data }: Pick<Notification, 'Kind' | 'Data'>): string => {
    const data = Data as Record<string, string | number | boolean>;
    const shown: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(data)) {
      if (AMOUNTS.includes(name)) shown[name] = core().displayMoney(String(value), data.Currency as Currency);
      else if (BYTES.includes(name)) shown[name] = bytesText(Number(value), i18n.language);
      else shown[name] = String(value);
    }
    if (Kind === 'traffic.reorder_failed') shown.Reason = t(`billing:reorderFailure.${data.Reason as 'offer_gone'}`);
    if (Kind === 'wallet.auto_top_up_failed') {
      shown.Reason = t(`billing:autoTopUp.failure.${data.Reason as 'declined'}`);
    }
    if (Kind === 'security.changed') {
      const change = `change.${data.Change as 'other'}` as const;
      shown.Change = i18n.exists(`notifications:${change}`) ? t(change) : t('change.other');
    }
    // Some types have plural forms, so the key is built per type.
    const text = t as unknown as (key: string, values: Record<string, string | number>) => string;
    return text(`notifications:kind.${Kind}.title`, {
      ...shown,
      ...('Count' in data && { count: Number(data.Count) }),
      ...('Owed' in data && isPositive(String(data.Owed)) && { context: 'owing' }),
    });
  };
}
