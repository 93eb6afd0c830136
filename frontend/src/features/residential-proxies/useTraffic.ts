// Prices of traffic, and the account's traffic.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getTraffic, getTrafficCatalogue } from '@/api/traffic';

export const TRAFFIC = ['traffic'];
export const TRAFFIC_PRICES = ['traffic-prices'];

/** Polling interval of the remaining traffic, which proxy users consume. */
const LEFT_POLL_MS = 10_000;

export const useTrafficPrices = () =>
  useQuery({
    queryKey: TRAFFIC_PRICES,
    queryFn: ({ signal }) => getTrafficCatalogue({ signal, silent: true }),
    staleTime: 60_000,
  });

export const useTraffic = () =>
  useQuery({
    queryKey: TRAFFIC,
    queryFn: ({ signal }) => getTraffic({ signal, silent: true }),
    refetchInterval: LEFT_POLL_MS,
  });

/** Validity of an offer as text. */
export function usePeriodText() {
  const { t } = useTranslation('residential_buy');
  return (periodDays: number) => (periodDays === 0 ? t('never') : t('days', { count: periodDays }));
}
