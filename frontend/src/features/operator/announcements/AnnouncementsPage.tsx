// What the seller tells all customers, for operators: announcements, and the terms and privacy policy in a second view.
import { Plus } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { LegalKind } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { AnnouncementDialog } from './AnnouncementDialog';
import { AnnouncementList } from './AnnouncementList';
import s from './announcements.module.css';
import { Editor } from './Editor';
import { LegalView } from './LegalView';
import { LEGAL, VIEW_KEY, WRITE_KEY } from './places';

export function AnnouncementsPage() {
  const { t } = useTranslation('announcements');
  const may = useMay();
  const [parameters, setParameters] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const view = parameters.get(VIEW_KEY) === LEGAL && may('Operator/GetLegalTextList') ? LEGAL : 'list';
  const written = Object.values(LegalKind).find((kind) => kind === parameters.get(WRITE_KEY));
  if (view === LEGAL && written && may('Operator/PublishLegalText')) return <Editor kind={written} />;
  const add = may('Operator/SaveAnnouncement') && (
    <Button variant="primary" icon={<Plus size={17} aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('list.add')}
    </Button>
  );
  return (
    <Page wide title={t('title')} description={t(`lead.${view}`)} actions={view === 'list' && add}>
      {may('Operator/GetLegalTextList') && (
        <div className={s.views}>
          <SegmentedControl
            label={t('view.label')}
            value={view}
            segments={[
              { value: 'list', label: t('view.list') },
              { value: LEGAL, label: t('view.legal') },
            ]}
            // Filters belong to one view.
            onChange={(next) => setParameters(next === LEGAL ? { [VIEW_KEY]: LEGAL } : {}, { replace: true })}
          />
        </div>
      )}
      {view === LEGAL ? <LegalView /> : <AnnouncementList add={add} />}
      {isAdding && <AnnouncementDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
