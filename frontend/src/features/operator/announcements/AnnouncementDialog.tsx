// Adds or edits an announcement; each text is seen below its field as customers will see it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Announcement as Saved, saveAnnouncement } from '@/api/announcements';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { ANNOUNCEMENT_MAX_LENGTH, AnnouncementTone } from '@/core/constants.gen';
import { Announcement } from '@/ui/Announcement';
import { SegmentedControl } from '@/ui/Controls';
import { DateTimeField } from '@/ui/DateTimeField';
import { TextAreaField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { fieldOnWire, nowOnWire, shownInField } from '@/ui/wireTime';
import s from './announcements.module.css';

const LANGUAGES = [
  { field: 'TextEn', label: 'form.textEn', lang: 'en' },
  { field: 'TextZh', label: 'form.textZh', lang: 'zh-CN' },
] as const;

type Field = 'TextEn' | 'TextZh' | 'Link' | 'ValidFrom' | 'ValidUntil';

const typedOf = (announcement: Saved | undefined): Record<Field, string> => ({
  TextEn: announcement?.TextEn ?? '',
  TextZh: announcement?.TextZh ?? '',
  Link: announcement?.Link ?? '',
  ValidFrom: shownInField(announcement?.ValidFrom),
  ValidUntil: shownInField(announcement?.ValidUntil ?? ''),
});

/** A banner has one line, which the browser breaks. */
const inOneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');

interface AnnouncementDialogProps {
  /** The one to edit. */
  announcement?: Saved;
  onClose: () => void;
}

export function AnnouncementDialog({ announcement, onClose }: AnnouncementDialogProps) {
  const { t } = useTranslation(['announcements', 'common']);
  const call = useCall(saveAnnouncement);
  const [tone, setTone] = useState<AnnouncementTone>(announcement?.Tone ?? AnnouncementTone.Info);
  const [typed, setTyped] = useState(() => typedOf(announcement));
  const bind = (field: Field) =>
    call.bind(field, typed[field], (text) => {
      // An announcement without a text is an error of the first one.
      if (field === 'TextZh') call.errors.clear('TextEn');
      setTyped((now) => ({
        ...now,
        [field]: field === 'ValidFrom' || field === 'ValidUntil' ? text : inOneLine(text),
      }));
    });
  const form = {
    Tone: tone,
    TextEn: typed.TextEn.trim(),
    TextZh: typed.TextZh.trim(),
    Link: typed.Link.trim(),
    ValidFrom: fieldOnWire(typed.ValidFrom),
    ValidUntil: fieldOnWire(typed.ValidUntil),
  };
  return (
    <FormDialog
      call={call}
      wide
      title={t(announcement ? 'form.edit' : 'form.add')}
      action={announcement ? t('common:save') : t('form.publish')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateAnnouncement(form, nowOnWire()),
          body: { ...form, ...(announcement && { AnnouncementId: announcement.AnnouncementId }) },
          onDone: () => {
            showToast(t('form.saved'), 'success');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <SegmentedControl<AnnouncementTone>
        label={t('tone.label')}
        value={tone}
        segments={Object.values(AnnouncementTone).map((value) => ({ value, label: t(`tone.${value}`) }))}
        onChange={setTone}
      />
      <div className={s.columns}>
        {LANGUAGES.map(({ field, label, lang }) => (
          <div key={field} className={s.language}>
            <TextAreaField
              label={t(label)}
              hint={t('form.textHint', { Max: ANNOUNCEMENT_MAX_LENGTH })}
              rows={4}
              lang={lang}
              {...bind(field)}
            />
            <section className={s.preview} aria-label={`${t('form.preview')}: ${t(label)}`}>
              <small>{t('form.preview')}</small>
              {form[field] ? (
                <Announcement tone={tone} text={form[field]} link={form.Link} lang={lang} />
              ) : (
                <p className={s.nothing}>{t('form.previewEmpty')}</p>
              )}
            </section>
          </div>
        ))}
      </div>
      <TextField
        label={t('form.link')}
        hint={t('form.linkHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...bind('Link')}
      />
      <div className={s.columns}>
        <DateTimeField label={t('form.from')} hint={t('form.fromHint')} {...bind('ValidFrom')} />
        <DateTimeField label={t('form.until')} hint={t('form.untilHint')} {...bind('ValidUntil')} />
      </div>
      {announcement && <p className={s.soft}>{t('form.again')}</p>}
    </FormDialog>
  );
}
