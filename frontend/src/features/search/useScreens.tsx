// The sidebar's screens and the status of proxy servers, by their names in both languages.
import { Pulse } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useIsSuspended, useSidebar } from '@/stores/sidebar';
import { entryIcon } from '@/ui/entryIcon';
import { matching, type Named, type Result } from './results';

/** Shown before anything is typed. */
const OFTEN = [
  '/operator/business',
  '/operator/support',
  '/operator/orders',
  '/operator/accounts',
  '/static-residential-proxies/proxy-list',
  '/residential-proxies/users',
  '/residential-proxies/endpoint-generator',
  '/order',
  '/billing/wallet',
  '/billing/transactions',
];
const MOST_OFTEN = 6;

export function useScreens(typed: string): Result[] {
  const { t, i18n } = useTranslation('nav');
  const other = i18n.getFixedT(i18n.language === 'zh' ? 'en' : 'zh', 'nav');
  const isSuspended = useIsSuspended();
  const ofSidebar = useSidebar()
    // Help and support are actions, not screens.
    .filter((entry) => entry.Action === 'navigate')
    .flatMap((entry) => {
      const Icon = entryIcon(entry.Key);
      return (entry.Children.length > 0 ? entry.Children : [entry]).map((screen): Named & { to: string } => ({
        id: screen.Path,
        icon: <Icon size={18} />,
        label: t(screen.Key as 'welcome'),
        note: screen === entry ? undefined : t(entry.Key as 'welcome'),
        to: screen.Path,
        words: `${other(screen.Key as 'welcome')} ${other(entry.Key as 'welcome')}`,
      }));
    });
  const status: Named & { to: string } = {
    id: '/status',
    icon: <Pulse size={18} />,
    label: t('status'),
    to: '/status',
    words: other('status'),
  };
  const screens = isSuspended ? ofSidebar : [...ofSidebar, status];
  if (typed) return matching(typed, screens);
  return screens.filter(({ to }) => OFTEN.includes(to)).slice(0, MOST_OFTEN);
}
