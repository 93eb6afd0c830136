// For every address that leads nowhere.
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '@/ui/Button';
import s from './app.module.css';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <main className={s.notFound}>
      <p aria-hidden="true">404</p>
      <h1>{t('notFound')}</h1>
      <span>{t('notFoundHint')}</span>
      <ButtonLink to="/" variant="primary">
        {t('goHome')}
      </ButtonLink>
    </main>
  );
}
