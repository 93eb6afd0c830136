// Language switch for visitors.
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '@/i18n';
import s from './auth.module.css';

export function LanguageSwitch() {
  const { i18n } = useTranslation();
  const isChinese = i18n.language === 'zh';
  return (
    <button
      type="button"
      className={s.language}
      lang={isChinese ? 'en' : 'zh-CN'}
      onClick={() => changeLanguage(isChinese ? 'en' : 'zh')}
    >
      {isChinese ? 'English' : '中文'}
    </button>
  );
}
