// Prices of traffic, and the account's traffic.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { trafficQuery } from '@/api/traffic';

/** Polling interval of the remaining traffic, which proxy users consume. */
const LEFT_POLL_MS = 10_000;

export const useTraffic = () => useQuery({ ...trafficQuery, refetchInterval: LEFT_POLL_MS });

/** Validity of an offer as text. */
export function usePeriodText() {
  const { t } = useTranslation('residential_buy');
  return (periodDays: number) => (periodDays === 0 ? t('never') : t('days', { count: periodDays }));
}
