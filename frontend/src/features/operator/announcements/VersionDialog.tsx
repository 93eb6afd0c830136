// A published version of the terms or the privacy policy, in either language.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LegalTextView, legalTextQuery } from '@/api/legal';
import { LANGUAGES, type Language } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { PlainDocument } from '@/ui/PlainDocument';
import { ErrorState } from '@/ui/State';
import s from './announcements.module.css';

/** In their own words. */
const NAMES: Record<Language, string> = { en: 'English', zh: '中文' };

export function VersionDialog({ version, onClose }: { version: LegalTextView; onClose: () => void }) {
  const { t } = useTranslation(['announcements', 'common']);
  const text = useQuery(legalTextQuery(version.LegalTextId));
  const [language, setLanguage] = useState<Language>(currentLanguage);
  const body = text.data && (language === 'zh' ? text.data.BodyZh : text.data.BodyEn);
  const content = () => {
    if (text.isError) return <ErrorState error={text.error} onRetry={() => text.refetch()} />;
    if (body === undefined) return <LoadingState rows={10} />;
    if (body === '') return <p className={s.soft}>{t('legal.notWritten')}</p>;
    return <PlainDocument text={body} level={3} lang={language === 'zh' ? 'zh-CN' : 'en'} />;
  };
  return (
    <Dialog
      open
      wide
      title={t('legal.shown', { Kind: t(`kind.${version.Kind}`), Version: version.Version })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <div className={s.version}>
        <SegmentedControl<Language>
          label={t('legal.language')}
          value={language}
          segments={LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
          onChange={setLanguage}
        />
        {content()}
      </div>
    </Dialog>
  );
}
