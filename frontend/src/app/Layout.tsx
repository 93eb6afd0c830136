// The frame around every signed-in screen: sidebar, header, and the screen itself.
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router';
import { core, loadCore } from '@/core';
import { MOBILE_MAX_WIDTH, OPERATOR, SIDEBAR_OPEN_MIN_WIDTH } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { useOrderStore } from '@/stores/order';
import { queryClient } from '@/stores/queries';
import { useSessionStore, useUserStore } from '@/stores/user';
import { ErrorState } from '@/ui/State';
import { useMedia } from '@/ui/useMedia';
import { AlarmBanner } from './AlarmBanner';
import s from './app.module.css';
import { Header } from './Header';
import { NotFound } from './NotFound';
import { Sidebar } from './Sidebar';
import { usePreload } from './usePreload';

const LONG_MS = 150;

export function Layout() {
  const { t } = useTranslation(['common', 'nav']);
  const info = useUserStore((state) => state.info);
  const isOpen = useUserStore((state) => state.sidebarOpen);
  const setOpen = useUserStore((state) => state.setSidebarOpen);
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const isWide = useMedia(`(min-width: ${SIDEBAR_OPEN_MIN_WIDTH}px)`);
  const { pathname } = useLocation();
  const rules = useRules();
  const [queries] = useState(queryClient);
  usePreload(rules.ready);

  // The sidebar starts open in a wide window and collapsed in a narrow one.
  useEffect(() => setOpen(isWide), [isWide, setOpen]);
  // A drawer has done its work when its entry was followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what is followed
  useEffect(() => {
    if (isMobile) setOpen(false);
  }, [pathname, isMobile, setOpen]);
  const token = info?.Token;
  useEffect(() => {
    if (!token) return;
    const refresh = () => {
      useUserStore
        .getState()
        .loadInfo()
        .catch(() => {});
      useSessionStore
        .getState()
        .loadWallet()
        .catch(() => {});
      useOrderStore
        .getState()
        .loadUnpaidOrders()
        .catch(() => {});
    };
    useConfigStore
      .getState()
      .loadShop()
      .catch(() => {});
    refresh();
    const timer = setInterval(refresh, 60_000);
    return () => clearInterval(timer);
  }, [token]);

  if (!info) return <Navigate to="/login" replace />;
  if (rules.failed) {
    return <ErrorState onRetry={rules.retry} />;
  }
  if (!rules.ready) return <div className={s.boot} role="status" aria-label={t('loading')} />;
  return (
    <QueryClientProvider client={queries}>
      <div className={s.layout} data-sidebar={isOpen ? 'open' : 'closed'}>
        <a href="#main" className={s.skip}>
          {t('skipToContent')}
        </a>
        <Sidebar isMobile={isMobile} />
        <div className={s.column}>
          <Header isMobile={isMobile} />
          <Underway />
          <main id="main" tabIndex={-1} className={s.main}>
            {info.Level === OPERATOR && <AlarmBanner />}
            {core().canOpen(pathname, info.Level) ? <Outlet /> : <NotFound inLayout />}
          </main>
        </div>
      </div>
    </QueryClientProvider>
  );
}

/** Says that a screen takes its time; one that comes at once is not announced. */
function Underway() {
  const isNavigating = useNavigation().state !== 'idle';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isNavigating) return;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isNavigating]);
  return isLong && <div className={s.progress} aria-hidden="true" />;
}

/** The rules are there before any screen is. */
function useRules() {
  const [state, setState] = useState({ ready: false, failed: false, attempt: 0 });
  const { attempt } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let isGone = false;
    loadCore().then(
      () => !isGone && setState((now) => ({ ...now, ready: true })),
      () => !isGone && setState((now) => ({ ...now, failed: true })),
    );
    return () => {
      isGone = true;
    };
  }, [attempt]);
  const retry = () => setState({ ready: false, failed: false, attempt: attempt + 1 });
  return { ...state, retry };
}
