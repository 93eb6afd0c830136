// Breadcrumbs of the current path, from the sidebar's entries: the section and the screen.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSidebar } from '@/stores/sidebar';
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
          { label: t(Key as 'welcome'), to: first.Path },
          { label: t(screen.Key as 'welcome'), to: screen.Path },
        ];
      }
    }
    return [];
  }, [entries, pathname, t]);
}
