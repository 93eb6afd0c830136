// Around every signed-in screen: who may open it, what is asked for all the time, and the frame.
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { core, loadCore } from '@/core';
import { OPERATOR, REDIRECT_KEY } from '@/core/constants.gen';
import { AlarmBanner } from '@/features/operator/AlarmBanner';
import { useConfigStore } from '@/stores/config';
import { useOrderStore } from '@/stores/order';
import { queryClient } from '@/stores/queries';
import { useSessionStore, useUserStore } from '@/stores/user';
import { idle } from '@/ui/idle';
import { LoadingState } from '@/ui/Loading';
import { ErrorState } from '@/ui/State';
import { Frame } from './Frame';
import { NotFound } from './NotFound';
import { usePreload } from './usePreload';

const REFRESH_MS = 60_000;

/** `preload` loads the screen at a path before somebody goes there. */
export function Layout({ preload }: { preload: (path: string) => Promise<void> }) {
  const info = useUserStore((state) => state.info);
  const { pathname, search } = useLocation();
  const hasEnded = useUserStore((state) => state.hasEnded);
  const rules = useRules();
  const [queries] = useState(queryClient);
  usePreload(rules.ready, preload);

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
    const timer = setInterval(refresh, REFRESH_MS);
    let isGone = false;
    // Who the customer is stands in the menu of the account alone, which nobody opens at once.
    idle()
      .then(() => (isGone ? undefined : useUserStore.getState().loadCenter()))
      .catch(() => {});
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [token]);

  if (!info) {
    const back = hasEnded ? `?${REDIRECT_KEY}=${encodeURIComponent(pathname + search)}` : '';
    return <Navigate to={`/login${back}`} replace />;
  }
  return (
    <QueryClientProvider client={queries}>
      <Frame hasRules={rules.ready}>
        {rules.failed && <ErrorState onRetry={rules.retry} />}
        {rules.ready && info.Level === OPERATOR && <AlarmBanner />}
        {rules.ready && (core().canOpen(pathname, info.Level) ? <Outlet /> : <NotFound inLayout />)}
        {!rules.ready && !rules.failed && <LoadingState />}
      </Frame>
    </QueryClientProvider>
  );
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
