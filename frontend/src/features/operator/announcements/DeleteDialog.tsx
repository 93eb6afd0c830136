// Deletes an announcement, after a confirmation that shows it.
import { useTranslation } from 'react-i18next';
import { deleteAnnouncement, type Announcement as Saved } from '@/api/announcements';
import { useCall } from '@/api/useCall';
import { Announcement } from '@/ui/Announcement';
import { ConfirmDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import s from './announcements.module.css';

export function DeleteDialog({ announcement, onClose }: { announcement: Saved; onClose: () => void }) {
  const { t } = useTranslation('announcements');
  const call = useCall(deleteAnnouncement);
  const { AnnouncementId, Tone, TextEn, TextZh, Link } = announcement;
  const onDone = () => {
    showToast(t('delete.done'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('delete.title')}
      action={t('delete.confirm')}
      danger
      onConfirm={() => call.run({ AnnouncementId }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        {TextEn && <Announcement tone={Tone} text={TextEn} link={Link} lang="en" />}
        {TextZh && <Announcement tone={Tone} text={TextZh} link={Link} lang="zh-CN" />}
        <p className={s.soft}>{t('delete.what')}</p>
      </div>
    </ConfirmDialog>
  );
}
