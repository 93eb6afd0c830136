// Breadcrumbs of the current path, from the sidebar's entries: the section and the screen.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { useSidebar } from '@/stores/sidebar';
import { startPath } from '@/stores/user';
import type { Crumb } from '@/ui/Breadcrumbs';

export function useBreadcrumbs(): readonly Crumb[] {
  const { t } = useTranslation('nav');
  const { pathname } = useLocation();
  const entries = useSidebar();
  return useMemo(() => {
    for (const { Key, Path, Children } of entries) {
      const [first] = Children;
      if (!first && pathname === Path) return [{ label: t(Key as 'welcome'), to: Path }];
      const screen = Children.find(({ Path }) => pathname === Path || pathname.startsWith(`${Path}/`));
      if (first && screen) {
        return [
          // Of the operators' screens, the one with which the role begins.
          { label: t(Key as 'welcome'), to: Path === OPERATOR_PATH ? startPath() : first.Path },
          { label: t(screen.Key as 'welcome'), to: screen.Path },
        ];
      }
    }
    return [];
  }, [entries, pathname, t]);
}
