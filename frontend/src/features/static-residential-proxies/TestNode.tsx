// Sends one test request through a proxy and shows the result.
import { Pulse } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import s from './static.module.css';

export function TestNode({ nodeId, protocol }: { nodeId: number; protocol: 'http' | 'socks5' }) {
  const { t } = useTranslation('static_residential_proxies');
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Schemas['NodeTest']>();
  const test = async () => {
    setBusy(true);
    setResult(undefined);
    try {
      setResult(await post('Ips/TestNode', { NodeId: nodeId, Protocol: protocol }));
    } catch {
      // The API client has shown the error toast.
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={s.form}>
      <div className={s.testHead}>
        <span className={s.soft}>{t('test.lead')}</span>
        <Button icon={<Pulse size={17} />} loading={isBusy} onClick={test}>
          {isBusy ? t('test.busy') : result ? t('test.again') : t('test.start')}
        </Button>
      </div>
      {result && (
        <Notice tone={result.Works ? 'good' : 'bad'}>
          <strong>{result.Works ? t('test.works') : t('test.fails')}</strong>
          {result.Problem && <p>{t(`test.problem.${result.Problem}`, { Status: result.Status ?? '' })}</p>}
          {result.Works && (
            <dl className={s.testFacts}>
              <dt>{t('test.time')}</dt>
              <dd>{t('test.ms', { Milliseconds: result.Milliseconds })}</dd>
              {result.ExitIp && (
                <>
                  <dt>{t('test.exit')}</dt>
                  <dd>
                    <code>{result.ExitIp}</code>
                  </dd>
                </>
              )}
            </dl>
          )}
        </Notice>
      )}
    </div>
  );
}
