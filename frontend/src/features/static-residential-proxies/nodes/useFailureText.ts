// Why a bulk action failed for a proxy: a specific text if there is one, otherwise the text of the error code.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { core } from '@/core';

export function useFailureText() {
  const { t, i18n } = useTranslation(['static_residential_proxies', 'errors']);
  return useCallback(
    (code: number): string => {
      const key = core()
        .codes()
        .find((row) => row.Code === code)?.MessageKey;
      const own = `result.because.${key}`;
      if (i18n.exists(own, { ns: 'static_residential_proxies' })) return t(own as 'result.because.notFound');
      return t(`errors:${key ?? 'unknownError'}` as 'errors:unknownError');
    },
    [t, i18n],
  );
}
