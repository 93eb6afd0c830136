// Sends one test request through a proxy and shows the result.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { testNode } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { ProxyTest } from '@/ui/ProxyTest';
import { useName } from '@/ui/texts';

type Tested = Pick<Schemas['OwnedNode'], 'NodeId' | 'CountryNameEn' | 'CountryNameZh'>;

export function TestNode({ node, protocol }: { node: Tested; protocol: 'http' | 'socks5' }) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  const test = useCall(testNode);
  return (
    <ProxyTest
      lead={t('test.lead')}
      start={t('test.start')}
      country={name({ en: node.CountryNameEn, zh: node.CountryNameZh })}
      result={test.answer}
      isBusy={test.isBusy}
      onTest={() => test.run({ NodeId: node.NodeId, Protocol: protocol })}
    />
  );
}
