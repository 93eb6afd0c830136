// Shown for unknown addresses, and for screens that the user may not open.
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '@/ui/Button';
import s from './app.module.css';

export function NotFound({ inLayout = false }: { inLayout?: boolean }) {
  const { t } = useTranslation();
  const Frame = inLayout ? 'div' : 'main';
  return (
    <Frame className={s.notFound} data-in-layout={inLayout || undefined}>
      <p aria-hidden="true">404</p>
      <h1>{t('notFound')}</h1>
      <span>{t('notFoundHint')}</span>
      <ButtonLink to="/" variant="primary">
        {t('goHome')}
      </ButtonLink>
    </Frame>
  );
}

export const NotFoundInLayout = () => <NotFound inLayout />;
