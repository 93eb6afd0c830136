// Says that the connection is lost, as long as it is; what is on the screen stays usable for reading.
import { CloudSlash } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '@/api/connection';
import s from './connection.module.css';

/** The live region is always there, so that screen readers hear of a change. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const lost = useConnection((state) => state.lost);
  return (
    <div role="status">
      {lost && (
        <p className={s.bar}>
          <CloudSlash size={18} aria-hidden="true" />
          <strong>{t(lost === 'offline' ? 'offline' : 'unreachable')}</strong>
          <span>{t('recovers')}</span>
        </p>
      )}
    </div>
  );
}
