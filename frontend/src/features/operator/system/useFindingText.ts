// What an examination found, in words: the texts of `postern doctor`.
import { useTranslation } from 'react-i18next';
import type { Finding } from '@/api/system';

/** Params that are counts. Others are read as they are: times of UTC, addresses, versions and status codes. */
const COUNTS = [
  'Count',
  'Mebibytes',
  'Seconds',
  'Attempts',
  'Days',
  'Left',
  'Pool',
  'Nodes',
  'Servers',
  'Tiers',
  'Periods',
];

const valuesOf = (params: Finding['Params']) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      COUNTS.includes(name) && /^\d+$/.test(value) ? Number(value) : value,
    ]),
  );

/** The name of a check, what was found, and what to do about it, unless it is fine. */
export function useFindingText() {
  const { t } = useTranslation('doctor');
  return ({ Check, Diagnosis, Params, Severity }: Finding) => {
    const values = valuesOf(Params);
    const count = Number(Params.Count ?? 0);
    return {
      name: t(`checks.${Check}`),
      found: t(`found.${Diagnosis}`, { ...values, count }),
      // The diagnoses that are only ever fine have none.
      remedy: Severity === 'ok' ? '' : t(`remedies.${Diagnosis as 'serverDown'}`, { ...values, defaultValue: '' }),
    };
  };
}
