// What a proxy server has said about itself, in words and numbers.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProxyServer } from '@/api/operator';
import { shownInField } from '@/ui/wireTime';

export const NONE = '–';

interface Figures {
  Connections: string;
  /** The share of attempts that failed. */
  Errors: string;
  Latency: string;
}

/** Counts of the last report; those of a silent server are outdated. */
export function useFigures() {
  const { t, i18n } = useTranslation('proxy_servers');
  return useCallback(
    ({ Heartbeat, Outage }: ProxyServer): Figures | undefined => {
      if (!Heartbeat || Outage?.Cause === 'silent') return undefined;
      const { OpenConnections = 0, Attempts = 0, Failures = 0, ConnectMilliseconds } = Heartbeat;
      const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumSignificantDigits: 3 });
      return {
        Connections: new Intl.NumberFormat(i18n.language).format(OpenConnections),
        Errors: Attempts > 0 ? percent.format(Failures / Attempts) : NONE,
        Latency: ConnectMilliseconds == null ? NONE : t('list.milliseconds', { Count: ConnectMilliseconds }),
      };
    },
    [t, i18n.language],
  );
}

/** What an operator should know, most urgent first. */
export function useProblems() {
  const { t, i18n } = useTranslation('proxy_servers');
  return useCallback(
    ({ State, Outage, Heartbeat }: ProxyServer): string[] => {
      const { UpstreamsDown = [], WaitingReports = 0 } = Heartbeat ?? {};
      const names = new Intl.ListFormat(i18n.language).format(UpstreamsDown);
      return [
        ...(Outage ? [t('problem.since', { Time: shownInField(Outage.BeganAt) })] : []),
        ...(UpstreamsDown.length > 0 ? [t('problem.upstreams', { Names: names })] : []),
        ...(State === 'degraded' ? [t('problem.failures')] : []),
        ...(WaitingReports > 0 ? [t('problem.reports', { count: WaitingReports })] : []),
      ];
    },
    [t, i18n.language],
  );
}
