// The mails of the shop, for operators: those sent and waiting, and the texts that they have in a second view.
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { MAILS_KEPT_DAYS } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { MailList } from './MailList';
import s from './mails.module.css';
import { TextsView } from './TextsView';
import { TEXTS, VIEW_KEY } from './templates';

export function MailsPage() {
  const { t } = useTranslation('mails');
  const [parameters, setParameters] = useSearchParams();
  const maySeeTexts = useMay()('Operator/PreviewMail');
  const view = maySeeTexts && parameters.get(VIEW_KEY) === TEXTS ? TEXTS : 'list';
  return (
    <Page wide title={t('title')} description={t(`lead.${view}`, { Days: MAILS_KEPT_DAYS })}>
      {maySeeTexts && (
        <div className={s.views}>
          <SegmentedControl
            label={t('view.label')}
            value={view}
            segments={[
              { value: 'list', label: t('view.list') },
              { value: TEXTS, label: t('view.texts') },
            ]}
            // Filters and pages belong to one view.
            onChange={(next) => setParameters(next === TEXTS ? { [VIEW_KEY]: TEXTS } : {}, { replace: true })}
          />
        </div>
      )}
      {view === TEXTS ? <TextsView /> : <MailList />}
    </Page>
  );
}
