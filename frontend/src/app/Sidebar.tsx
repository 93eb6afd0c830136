// The sidebar, built from core's table of entries; a drawer on phones.
import { SidebarSimple } from '@phosphor-icons/react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import type { SidebarEntry } from '@/core/sidebar.gen';
import { useConfigStore } from '@/stores/config';
import { useSidebar } from '@/stores/sidebar';
import { useSupportStore } from '@/stores/support';
import { useUserStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { entryIcon } from '@/ui/entryIcon';
import { Drawer, Menu } from '@/ui/Overlay';
import { useMedia } from '@/ui/useMedia';
import s from './app.module.css';
import { Brand } from './Brand';

export const Sidebar = memo(function Sidebar({ isMobile }: { isMobile: boolean }) {
  const { t } = useTranslation(['nav', 'common']);
  const isOpen = useUserStore((state) => state.sidebarOpen);
  const setOpen = useUserStore((state) => state.setSidebarOpen);
  const entries = useSidebar();
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
  const EntryIcon = entryIcon(entry.Key);
  const label = t(entry.Key as 'welcome');
  const content = (
    <>
      <EntryIcon size={20} weight={isActive ? 'fill' : 'regular'} aria-hidden="true" />
      <span>{label}</span>
    </>
  );
  if (entry.Action === 'open_help_center') return <HelpCenter content={content} label={label} />;
  if (entry.Action === 'open_chat') return <Contact content={content} label={label} />;
  const first = entry.Children[0];
  if (!first) {
    return (
      <NavLink to={entry.Path} className={s.entry} title={label} data-active={isActive}>
        {content}
      </NavLink>
    );
  }
  if (!isOpen) {
    return (
      <Menu
        trigger={
          <button type="button" className={s.entry} title={label} data-active={isActive}>
            {content}
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
        {content}
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

interface EntryProps {
  content: ReactNode;
  label: string;
}

function HelpCenter({ content, label }: EntryProps) {
  const url = useConfigStore((state) => state.shop?.HelpCenterUrl);
  return (
    <a href={url ?? '#'} target="_blank" rel="noreferrer" className={s.entry} title={label}>
      {content}
    </a>
  );
}

/** Opens the chat without leaving the screen. */
function Contact({ content, label }: EntryProps) {
  const { t } = useTranslation('nav');
  const unread = useSupportStore((state) => state.unread);
  const setOpen = useUserStore((state) => state.setSidebarOpen);
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  return (
    <button
      type="button"
      className={s.entry}
      title={label}
      onClick={() => {
        // The drawer of a phone would lie over it.
        if (isMobile) setOpen(false);
        useSupportStore.getState().openChat();
      }}
    >
      {content}
      {unread > 0 && (
        <b className={s.badge}>
          {unread}
          <span className="visually-hidden">{t('unread')}</span>
        </b>
      )}
    </button>
  );
}
