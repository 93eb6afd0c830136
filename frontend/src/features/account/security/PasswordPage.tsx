// The screen /my-account/password: password, two-factor authentication, sessions and security log.
import { useTranslation } from 'react-i18next';
import { Page } from '@/ui/Page';
import { Sections } from '@/ui/Section';
import { PasswordSection } from './PasswordSection';
import { SecurityLog } from './SecurityLog';
import { SessionsSection } from './SessionsSection';
import { TwoFactorSection } from './TwoFactorSection';

export function PasswordPage() {
  const { t } = useTranslation(['account', 'security']);
  return (
    <Page title={t('security.title')} description={t('security.lead')}>
      <Sections>
        <PasswordSection />
        <TwoFactorSection />
        <SessionsSection />
        <SecurityLog />
      </Sections>
    </Page>
  );
}
