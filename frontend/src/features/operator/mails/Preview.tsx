// A mail with made-up values, as its reader sees it: subject, and the page or the plain text, in either language.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { mailPreviewQuery } from '@/api/system';
import type { MailTemplate } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { SegmentedControl } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { ErrorState } from '@/ui/State';
import s from './mails.module.css';

const LANGUAGES = ['en', 'zh'] as const;
type Language = (typeof LANGUAGES)[number];
const FORMS = ['html', 'text'] as const;
type Form = (typeof FORMS)[number];

/** Links ask for a new window, which the frame may not open: its address is that of the text, whatever is clicked. */
const WITHOUT_LINKS = '<base target="_blank">';
const still = (html: string) => html.replace('<head>', `<head>${WITHOUT_LINKS}`);

export function Preview({ template }: { template: MailTemplate }) {
  const { t } = useTranslation('mails');
  const [inAddress, change] = useFilters(['Language', 'Form']);
  const language = LANGUAGES.find((one) => one === inAddress.Language) ?? currentLanguage();
  const form = FORMS.find((one) => one === inAddress.Form) ?? 'html';
  const preview = useQuery(mailPreviewQuery({ Template: template, Language: language }));
  const name = t(`templates.${template}`);
  const { data } = preview;
  const body = () => {
    if (preview.isError) return <ErrorState error={preview.error} onRetry={() => preview.refetch()} />;
    if (!data) return <LoadingState rows={10} />;
    return form === 'html' ? (
      <iframe className={s.html} sandbox="" srcDoc={still(data.Html)} title={t('previewOf', { Mail: name })} />
    ) : (
      <pre className={s.plain} lang={language}>
        {data.Text}
      </pre>
    );
  };
  return (
    <section className={s.preview} aria-label={name} aria-busy={preview.isFetching}>
      <div className={s.head}>
        <h2>{name}</h2>
        <div className={s.switches}>
          <SegmentedControl<Language>
            label={t('language')}
            value={language}
            segments={LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }))}
            onChange={(Language) => change({ Language })}
          />
          <SegmentedControl<Form>
            label={t('form.label')}
            value={form}
            segments={FORMS.map((value) => ({ value, label: t(`form.${value}`) }))}
            onChange={(Form) => change({ Form: Form === 'html' ? '' : Form })}
          />
        </div>
      </div>
      <dl className={s.subject}>
        <dt>{t('subject')}</dt>
        <dd lang={language}>{data?.Subject ?? '…'}</dd>
      </dl>
      <div className={s.body}>{body()}</div>
      <p className={s.note}>{t('madeUp')}</p>
    </section>
  );
}
