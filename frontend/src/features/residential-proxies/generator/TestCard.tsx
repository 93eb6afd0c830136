// Tests an endpoint of the current settings.
import { useTranslation } from 'react-i18next';
import { type EndpointSettings, testEndpoint } from '@/api/endpoints';
import type { ProxyUserView } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { ProxyTest } from '@/ui/ProxyTest';
import s from './generator.module.css';

interface TestCardProps {
  user: ProxyUserView;
  settings: EndpointSettings;
  /** Whether the settings are valid. */
  isReady: boolean;
}

export function TestCard(props: TestCardProps) {
  const { t } = useTranslation('generator');
  // A result is that of these settings.
  const tested = JSON.stringify([props.user.ProxyUserId, props.settings]);
  return (
    <Card title={t('test.title')}>
      <EndpointTest key={tested} {...props} />
    </Card>
  );
}

function EndpointTest({ user, settings, isReady }: TestCardProps) {
  const { t } = useTranslation('generator');
  const test = useCall(testEndpoint);
  const { Country } = settings;
  const run = () => {
    test.errors.set({});
    return test.run({ ProxyUserId: user.ProxyUserId, Settings: settings });
  };
  return (
    <div className={s.form}>
      <ProxyTest
        lead={t('test.lead', { Name: user.Name })}
        start={t('test.start')}
        country={Country ? core().countryName(Country, currentLanguage()) : t('settings.anyCountry')}
        isRequested
        result={test.answer}
        isBusy={test.isBusy}
        disabled={!isReady}
        onTest={run}
      />
      {test.errors.texts().map((text) => (
        <Notice key={text} tone="bad">
          {text}
        </Notice>
      ))}
    </div>
  );
}
