// The sidebar: the entries of core's table, with their children. On a phone it is a drawer.
import {
  ChartPieSlice,
  ChatCircleDots,
  Globe,
  type Icon,
  Lifebuoy,
  SidebarSimple,
  Stack,
  UserCircle,
  UsersThree,
  Wallet,
} from '@phosphor-icons/react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router';
import { SIDEBARS, type SidebarEntry } from '@/core/sidebar.gen';
import { useConfigStore } from '@/stores/config';
import { useUserStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { Dialog, Drawer, Menu } from '@/ui/Overlay';
import s from './app.module.css';
import { Brand } from './Brand';

const ICONS: Record<string, Icon> = {
  welcome: ChartPieSlice,
  'residential-proxies': Globe,
  'static-residential-proxies': Stack,
  billing: Wallet,
  'my-account': UserCircle,
  referrals: UsersThree,
  'help-center': Lifebuoy,
  'contact-support': ChatCircleDots,
};

export const Sidebar = memo(function Sidebar({ isMobile }: { isMobile: boolean }) {
  const { t } = useTranslation(['nav', 'common']);
  const level = useUserStore((state) => state.info?.Level ?? 0);
  const isOpen = useUserStore((state) => state.sidebarOpen);
  const setOpen = useUserStore((state) => state.setSidebarOpen);
  const entries = SIDEBARS[level] ?? [];
  const groups = [...new Set(entries.map((entry) => entry.Group))];
  const content = (
    <>
      <div className={s.sidebarHead}>
        {isOpen && <Brand />}
        <IconButton label={isOpen ? t('common:collapseMenu') : t('common:openMenu')} onClick={() => setOpen(!isOpen)}>
          <SidebarSimple size={18} />
        </IconButton>
      </div>
      {groups.map((group) => (
        <ul key={group} className={s.group}>
          {entries
            .filter((entry) => entry.Group === group)
            .map((entry) => (
              <li key={entry.Key}>
                <Entry entry={entry} isOpen={isOpen} />
              </li>
            ))}
        </ul>
      ))}
    </>
  );
  if (isMobile) {
    return (
      <Drawer open={isOpen} onClose={() => setOpen(false)} label={t('nav:navigation')}>
        <nav className={s.drawer} aria-label={t('nav:navigation')}>
          {content}
        </nav>
      </Drawer>
    );
  }
  return (
    <nav className={s.sidebar} aria-label={t('nav:navigation')} data-collapsed={!isOpen}>
      {content}
    </nav>
  );
});

function Entry({ entry, isOpen }: { entry: SidebarEntry; isOpen: boolean }) {
  const { t } = useTranslation('nav');
  const { pathname } = useLocation();
  const isActive =
    pathname === entry.Path ||
    pathname.startsWith(`${entry.Path}/`) ||
    entry.Children.some((child) => child.Path === pathname);
  const [toggled, setToggled] = useState<boolean>();
  const isExpanded = isOpen && (toggled ?? isActive);
  const EntryIcon = ICONS[entry.Key] ?? Stack;
  const label = t(entry.Key as 'welcome');
  const face = (
    <>
      <EntryIcon size={20} weight={isActive ? 'fill' : 'regular'} aria-hidden="true" />
      <span>{label}</span>
    </>
  );
  if (entry.Action === 'open_help_center') return <HelpCenter face={face} label={label} />;
  if (entry.Action === 'open_chat') return <Contact face={face} label={label} />;
  const first = entry.Children[0];
  if (!first) {
    return (
      <NavLink to={entry.Path} className={s.entry} title={label} data-active={isActive}>
        {face}
      </NavLink>
    );
  }
  if (!isOpen) {
    return (
      <Menu
        trigger={
          <button type="button" className={s.entry} title={label} data-active={isActive}>
            {face}
          </button>
        }
        label={label}
        side="right"
        items={entry.Children.map((child) => ({
          key: child.Path,
          label: t(child.Key as 'welcome'),
          to: child.Path,
        }))}
      />
    );
  }
  return (
    <>
      <button
        type="button"
        className={s.entry}
        data-active={isActive}
        aria-expanded={isExpanded}
        onClick={() => setToggled(!isExpanded)}
      >
        {face}
      </button>
      {isExpanded && (
        <ul className={s.children}>
          {entry.Children.map((child) => (
            <li key={child.Path}>
              <NavLink to={child.Path} className={s.child}>
                {t(child.Key as 'welcome')}
              </NavLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface FaceProps {
  face: ReactNode;
  label: string;
}

function HelpCenter({ face, label }: FaceProps) {
  const url = useConfigStore((state) => state.shop?.HelpCenterUrl);
  return (
    <a href={url ?? '#'} target="_blank" rel="noreferrer" className={s.entry} title={label}>
      {face}
    </a>
  );
}

/** Opens without leaving the screen. */
function Contact({ face, label }: FaceProps) {
  const { t } = useTranslation('common');
  const email = useConfigStore((state) => state.shop?.SupportEmail);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={s.entry} title={label} onClick={() => setOpen(true)}>
        {face}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={label}>
        <p>{t('contactHint')}</p>
        <p style={{ marginTop: 8 }}>{email && <a href={`mailto:${email}`}>{email}</a>}</p>
      </Dialog>
    </>
  );
}
