// Tests a proxy with one request, and shows the result.
import { Pulse } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Button } from './Button';
import { Notice } from './Notice';
import s from './proxy-test.module.css';

interface ProxyTestProps {
  /** What the test does. */
  lead: string;
  /** The button's label before the first test. */
  start: string;
  /** Name of the exit's country. */
  country: string;
  /** The country was asked for, and the exit is not known to be there. */
  isRequested?: boolean;
  result: Schemas['NodeTest'] | undefined;
  isBusy: boolean;
  disabled?: boolean;
  onTest: () => void;
}

export function ProxyTest({ lead, start, country, isRequested, result, isBusy, disabled, onTest }: ProxyTestProps) {
  // Loaded beside the screen, which does not wait for them.
  const { t, ready } = useTranslation('proxy_test', { useSuspense: false });
  const label = isBusy ? 'busy' : result && 'again';
  return (
    <div className={s.test}>
      <div className={s.head}>
        <span>{lead}</span>
        <Button icon={<Pulse size={17} />} loading={isBusy} disabled={disabled} onClick={onTest}>
          {ready && label ? t(label) : start}
        </Button>
      </div>
      {ready && result && (
        <Notice tone={result.Works ? 'good' : 'bad'}>
          <strong>{result.Works ? t('works') : t('fails')}</strong>
          {result.Reason ? (
            <p>{t(`reason.${result.Reason}`)}</p>
          ) : (
            result.Problem && <p>{t(`problem.${result.Problem}`, { Status: result.Status ?? '' })}</p>
          )}
          {result.Works && (
            <dl className={s.facts}>
              <dt>{t('time')}</dt>
              <dd>{t('ms', { Milliseconds: result.Milliseconds })}</dd>
              {result.ExitIp && (
                <>
                  <dt>{t('exit')}</dt>
                  <dd>
                    <code>{result.ExitIp}</code>
                  </dd>
                </>
              )}
              <dt>{t(isRequested ? 'requestedCountry' : 'country')}</dt>
              <dd>{country}</dd>
            </dl>
          )}
        </Notice>
      )}
    </div>
  );
}
