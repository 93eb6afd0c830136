// Breadcrumbs above a screen's title. On a phone only the parent is shown.
import { CaretLeft, CaretRight } from '@phosphor-icons/react';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import s from './breadcrumbs.module.css';
import { useMedia } from './useMedia';

export interface Crumb {
  label: string;
  to: string;
}

/** Section and screen of the current path, provided by the app. */
export const BreadcrumbsContext = createContext<readonly Crumb[]>([]);

interface BreadcrumbsProps {
  /** The open item, shown instead of the screen's list; null until its name is loaded. */
  opened?: string | null | undefined;
}

export function Breadcrumbs({ opened }: BreadcrumbsProps) {
  const { t } = useTranslation();
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const breadcrumbs = useContext(BreadcrumbsContext);
  const screen = breadcrumbs.at(-1);
  if (!screen) return null;
  // A screen without a section needs no line but above an open item.
  if (opened === undefined && breadcrumbs.length === 1) return null;
  if (isMobile && opened !== undefined) {
    return (
      <nav className={s.crumbs} aria-label={t('breadcrumbs')}>
        <Link to={screen.to} className={s.back}>
          <CaretLeft size={14} aria-hidden="true" />
          {screen.label}
        </Link>
      </nav>
    );
  }
  const here = opened === undefined ? screen.label : opened;
  const above = opened === undefined ? breadcrumbs.slice(0, -1) : breadcrumbs;
  return (
    <nav className={s.crumbs} aria-label={t('breadcrumbs')}>
      <ol>
        {above.map((crumb, index) => (
          <li key={crumb.label}>
            {index > 0 && <CaretRight size={12} aria-hidden="true" />}
            {/* A section links to its first screen: no second link to the same screen. */}
            {crumb !== screen && crumb.to === screen.to ? (
              <span>{crumb.label}</span>
            ) : (
              <Link to={crumb.to}>{crumb.label}</Link>
            )}
          </li>
        ))}
        {here && (
          <li>
            {above.length > 0 && <CaretRight size={12} aria-hidden="true" />}
            <span aria-current="page">{here}</span>
          </li>
        )}
      </ol>
    </nav>
  );
}
