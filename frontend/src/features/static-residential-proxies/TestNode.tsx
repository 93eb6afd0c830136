// Sends one test request through a proxy and shows the result.
import { Pulse } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { testNode } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import s from './static.module.css';

export function TestNode({ nodeId, protocol }: { nodeId: number; protocol: 'http' | 'socks5' }) {
  const { t } = useTranslation('static_residential_proxies');
  const test = useCall(testNode);
  const result = test.answer;
  return (
    <div className={s.form}>
      <div className={s.testHead}>
        <span className={s.soft}>{t('test.lead')}</span>
        <Button
          icon={<Pulse size={17} />}
          loading={test.isBusy}
          onClick={() => test.run({ NodeId: nodeId, Protocol: protocol })}
        >
          {test.isBusy ? t('test.busy') : result ? t('test.again') : t('test.start')}
        </Button>
      </div>
      {result && (
        <Notice tone={result.Works ? 'good' : 'bad'}>
          <strong>{result.Works ? t('test.works') : t('test.fails')}</strong>
          {result.Reason ? (
            <p>{t(`test.reason.${result.Reason}`)}</p>
          ) : (
            result.Problem && <p>{t(`test.problem.${result.Problem}`, { Status: result.Status ?? '' })}</p>
          )}
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
