// The search button in the header and its shortcut, Ctrl+K or ⌘K. The search dialog is loaded when it is opened.
import { MagnifyingGlass } from '@phosphor-icons/react';
import i18next from 'i18next';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchStore } from '@/stores/search';
import { IconButton } from '@/ui/Button';
import { isModalOpen } from '@/ui/Overlay';
import { toastError } from '@/ui/toast';
import s from './app.module.css';

type Dialog = ComponentType<{ onClose: () => void }>;

const load = async (): Promise<Dialog> => (await import('@/features/search/SearchDialog')).SearchDialog;

const isMac = () => /Mac|iPhone|iPad/.test(window.navigator.platform);

/** On a Mac, Ctrl+K deletes to the end of the line. */
const isShortcut = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' &&
  (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  !event.isComposing;

export function Search({ isMobile, hasRules }: { isMobile: boolean; hasRules: boolean }) {
  const { t } = useTranslation('nav');
  const { isOpen, setOpen } = useSearchStore();
  const [Dialog, setDialog] = useState<Dialog>();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      // Prevents the browser's own search.
      event.preventDefault();
      const { isOpen: isShown } = useSearchStore.getState();
      if (event.repeat || (!isShown && isModalOpen())) return;
      setOpen(!isShown);
    };
    // Closes on back navigation, so that the previous screen is visible.
    const close = () => setOpen(false);
    document.addEventListener('keydown', onKey);
    window.addEventListener('popstate', close);
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('popstate', close);
    };
  }, [setOpen]);
  useEffect(() => {
    if (!isOpen || Dialog) return;
    load().then(
      (loaded) => setDialog(() => loaded),
      () => {
        // Lets the next attempt retry a failed import.
        setOpen(false);
        toastError(i18next.t('nav:searchFailed'));
      },
    );
  }, [isOpen, Dialog, setOpen]);

  const open = () => setOpen(true);
  return (
    <>
      {isMobile ? (
        <IconButton label={t('search')} aria-haspopup="dialog" onClick={open}>
          <MagnifyingGlass size={18} />
        </IconButton>
      ) : (
        <button
          type="button"
          className={s.search}
          aria-haspopup="dialog"
          aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
          onClick={open}
        >
          <MagnifyingGlass size={16} aria-hidden="true" />
          <span>{t('search')}</span>
          <small aria-hidden="true">{isMac() ? '⌘K' : 'Ctrl K'}</small>
        </button>
      )}
      {/* Suspends until its texts are loaded. */}
      <Suspense fallback={null}>{isOpen && hasRules && Dialog && <Dialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
