// The frame of the app: sidebar, header, and room for a screen. It is drawn while the rules and the screen are still on their way, and
// leaves out what needs the rules until they are there.
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigation } from 'react-router';
import { MOBILE_MAX_WIDTH, SIDEBAR_OPEN_MIN_WIDTH } from '@/core/constants.gen';
import { startsOpen, useUserStore } from '@/stores/user';
import { ScreenLoading } from '@/ui/Loading';
import { useMedia } from '@/ui/useMedia';
import s from './app.module.css';
import { ConnectionBar } from './ConnectionBar';
import { Header } from './Header';
import { LoadingScreen } from './LoadingScreen';
import { Sidebar } from './Sidebar';

const PROGRESS_DELAY_MS = 150;

export function Frame({ hasRules, children }: { hasRules: boolean; children: ReactNode }) {
  const { t } = useTranslation(['common', 'nav']);
  const isOpen = useUserStore((state) => state.sidebarOpen);
  const setOpen = useUserStore((state) => state.setSidebarOpen);
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const isWide = useMedia(`(min-width: ${SIDEBAR_OPEN_MIN_WIDTH}px)`);
  const { pathname } = useLocation();

  // Unless the user has chosen, the sidebar is open in a wide window and collapsed in a narrow one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width is the trigger
  useLayoutEffect(() => setOpen(startsOpen()), [isWide, isMobile, setOpen]);
  // Closes the drawer after navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the trigger
  useEffect(() => {
    if (isMobile) setOpen(false);
  }, [pathname, isMobile, setOpen]);
  return (
    <div className={s.layout} data-sidebar={isOpen ? 'open' : 'closed'}>
      <a href="#main" className={s.skip}>
        {t('skipToContent')}
      </a>
      <Sidebar isMobile={isMobile} />
      <div className={s.column}>
        <Header isMobile={isMobile} hasRules={hasRules} />
        <ProgressLine />
        <main id="main" tabIndex={-1} className={s.main}>
          {/* A screen that suspends for its texts keeps the frame and open dialogs mounted. */}
          <Suspense fallback={<ScreenLoading />}>{children}</Suspense>
        </main>
        <ConnectionBar />
      </div>
    </div>
  );
}

/** The frame of prerendered screens. */
export function FrameAlone() {
  return (
    <Frame hasRules={false}>
      <LoadingScreen />
    </Frame>
  );
}

/** Shows a loading state after a short delay. */
function ProgressLine() {
  const isNavigating = useNavigation().state !== 'idle';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isNavigating) return;
    const timer = setTimeout(() => setLong(true), PROGRESS_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isNavigating]);
  return isLong && <div className={s.progress} aria-hidden="true" />;
}
