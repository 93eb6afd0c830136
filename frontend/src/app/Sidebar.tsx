// The sidebar, built from core's table of entries; a drawer on phones.
import { CaretDown, SidebarSimple } from '@phosphor-icons/react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import type { SidebarEntry } from '@/core/sidebar.gen';
import { useConfigStore } from '@/stores/config';
import { useSidebar } from '@/stores/sidebar';
import { useSupportStore } from '@/stores/support';
import { useUserStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { entryIcon } from '@/ui/entryIcon';
import { Drawer } from '@/ui/Overlay';
import { useMedia } from '@/ui/useMedia';
import s from './app.module.css';
import { Brand } from './Brand';
import { Flyout, Screens } from './Flyout';

export const Sidebar = memo(function Sidebar({ isMobile }: { isMobile: boolean }) {
  const { t } = useTranslation(['nav', 'common']);
  const isOpen = useUserStore((state) => state.sidebarOpen);
  const { setSidebarOpen, chooseSidebar } = useUserStore.getState();
  const entries = useSidebar();
  const groups = [...new Set(entries.map((entry) => entry.Group))];
  const content = (
    <>
      <div className={s.sidebarHead}>
        <Brand />
        <IconButton
          label={isOpen ? t('common:collapseMenu') : t('common:openMenu')}
          onClick={() => (isMobile ? setSidebarOpen(!isOpen) : chooseSidebar(!isOpen))}
        >
          <SidebarSimple size={18} />
        </IconButton>
      </div>
      {groups.map((group) => (
        <ul key={group} className={s.group}>
          {entries
            .filter((entry) => entry.Group === group)
            .map((entry) => (
              <Entry key={entry.Key} entry={entry} isOpen={isOpen} isMobile={isMobile} />
            ))}
        </ul>
      ))}
    </>
  );
  if (isMobile) {
    return (
      <Drawer open={isOpen} onClose={() => setSidebarOpen(false)} label={t('nav:navigation')}>
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

interface EntryInSidebar {
  entry: SidebarEntry;
  isOpen: boolean;
  isMobile: boolean;
}

function Entry({ entry, isOpen, isMobile }: EntryInSidebar) {
  const { t } = useTranslation('nav');
  const { pathname } = useLocation();
  const isActive =
    pathname === entry.Path ||
    pathname.startsWith(`${entry.Path}/`) ||
    entry.Children.some((child) => child.Path === pathname);
  const EntryIcon = entryIcon(entry.Key);
  const label = t(entry.Key as 'welcome');
  const content = (
    <>
      <EntryIcon size={20} weight={isActive ? 'fill' : 'regular'} aria-hidden="true" />
      <span>{label}</span>
    </>
  );
  const look = { content, label, isActive };
  const first = entry.Children[0];
  if (entry.Action === 'open_help_center')
    return (
      <li>
        <HelpCenter content={content} label={label} />
      </li>
    );
  if (entry.Action === 'open_chat')
    return (
      <li>
        <Contact content={content} label={label} />
      </li>
    );
  if (!first)
    return (
      <li>
        <NavLink to={entry.Path} className={s.entry} title={label} data-active={isActive}>
          {content}
        </NavLink>
      </li>
    );
  if (!isOpen) return <Flyout {...look} first={first.Path} entries={entry.Children} />;
  return <Section {...look} first={first.Path} entries={entry.Children} isMobile={isMobile} />;
}

interface SectionProps extends EntryProps {
  isActive: boolean;
  /** The path of the first screen. */
  first: string;
  entries: SidebarEntry['Children'];
  isMobile: boolean;
}

/**
 * An entry with screens: it leads to the first of them, and a button unfolds them. In the drawer, which closes when a screen opens, the entry itself
 * unfolds them.
 */
function Section({ content, label, isActive, first, entries, isMobile }: SectionProps) {
  const { t } = useTranslation('nav');
  const [toggled, setToggled] = useState<boolean>();
  const isExpanded = toggled ?? isActive;
  const toggle = () => setToggled(!isExpanded);
  return (
    <li>
      {isMobile ? (
        <button type="button" className={s.entry} data-active={isActive} aria-expanded={isExpanded} onClick={toggle}>
          {content}
        </button>
      ) : (
        <span className={s.section}>
          <Link to={first} className={s.entry} data-active={isActive} onClick={() => setToggled(true)}>
            {content}
          </Link>
          <button
            type="button"
            className={s.fold}
            aria-label={t('screensOf', { Name: label })}
            aria-expanded={isExpanded}
            onClick={toggle}
          >
            <CaretDown size={14} aria-hidden="true" />
          </button>
        </span>
      )}
      {isExpanded && (
        <ul className={s.children}>
          <Screens entries={entries} />
        </ul>
      )}
    </li>
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
