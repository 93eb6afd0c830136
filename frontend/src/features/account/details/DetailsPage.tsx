// The screen /my-account/details: profile, contact details, codes, data export and closing the account. A suspended account has only the export.
import { useTranslation } from 'react-i18next';
import { useIsSuspended } from '@/stores/sidebar';
import { Page } from '@/ui/Page';
import { Sections } from '@/ui/Section';
import { AvatarSection } from './AvatarSection';
import { CloseSection } from './CloseSection';
import { CodesSection } from './CodesSection';
import { DetailsSection } from './DetailsSection';
import { EmailSection } from './EmailSection';
import { ExportSection } from './ExportSection';
import { PreferencesSection } from './PreferencesSection';

export function DetailsPage() {
  const { t } = useTranslation(['account', 'billing']);
  const isSuspended = useIsSuspended();
  if (isSuspended) {
    return (
      <Page title={t('account:details.title')}>
        <Sections>
          <ExportSection />
        </Sections>
      </Page>
    );
  }
  return (
    <Page title={t('account:details.title')} description={t('account:details.lead')}>
      <Sections>
        <AvatarSection />
        <DetailsSection />
        <EmailSection />
        <PreferencesSection />
        <CodesSection />
        <ExportSection />
        <CloseSection />
      </Sections>
    </Page>
  );
}
