// Layout of all signed-in screens: access control, polling, and the frame.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { core, loadCore } from '@/core';
import { OPERATOR, REDIRECT_KEY } from '@/core/constants.gen';
import { AlarmBanner } from '@/features/operator/AlarmBanner';
import { useConfigStore } from '@/stores/config';
import { useConfirmation } from '@/stores/confirmation';
import { useMay } from '@/stores/may';
import { refreshUnpaidOrders } from '@/stores/order';
import { queryClient } from '@/stores/queries';
import { refreshInfo, refreshWallet, type UserInfo, useUserStore } from '@/stores/user';
import { BreadcrumbsContext } from '@/ui/Breadcrumbs';
import { idle } from '@/ui/idle';
import { ErrorState } from '@/ui/State';
import { useRecovery } from '@/ui/useRecovery';
import { AnnouncementBanner } from './AnnouncementBanner';
import { Chat } from './Chat';
import { Frame } from './Frame';
import { LoadingScreen } from './LoadingScreen';
import { NotFound } from './NotFound';
import { OwedBanner } from './OwedBanner';
import { SuspendedBanner, SuspendedPage } from './Suspended';
import { useBreadcrumbs } from './useBreadcrumbs';
import { usePreload } from './usePreload';
import { ViewBar } from './ViewBar';

// The two-factor dialog is loaded on demand: most sessions never need it.
const ConfirmTwoFactor = lazy(async () => ({ default: (await import('./ConfirmTwoFactor')).ConfirmTwoFactor }));

// Only after a new version of the seller's terms.
const AcceptTexts = lazy(async () => ({ default: (await import('./AcceptTexts')).AcceptTexts }));

const REFRESH_MS = 60_000;
/** The screen that says itself what is owed. */
const WALLET = '/billing/wallet';

function loadShop(): void {
  useConfigStore
    .getState()
    .loadShop()
    .catch(() => {});
}

/** Whether the seller's texts wait to be accepted. The stored user of an earlier version does not say; operators who view a customer cannot. */
const mustAccept = ({ IsView, TextsToAccept = [] }: UserInfo) => !IsView && TextsToAccept.length > 0;

/** What the header shows. */
function refresh(): void {
  refreshInfo();
  refreshWallet();
  refreshUnpaidOrders();
}

/** `preload` loads the code of the screen at a path. */
export function Layout({ preload }: { preload: (path: string) => Promise<void> }) {
  const info = useUserStore((state) => state.info);
  const view = useUserStore((state) => state.view);
  const { pathname, search } = useLocation();
  const hasEnded = useUserStore((state) => state.hasEnded);
  const isAsked = useConfirmation((state) => state.settle !== null);
  const rules = useRules();
  const may = useMay();
  const breadcrumbs = useBreadcrumbs();
  const [queries] = useState(queryClient);
  usePreload(rules.ready, preload);

  const token = info?.Token;
  useRecovery(() => {
    if (rules.failed) return window.location.reload();
    if (!token) return;
    loadShop();
    refresh();
    queries.refetchQueries({ type: 'active', stale: true });
  });
  useEffect(() => {
    if (!token) return;
    loadShop();
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    let isGone = false;
    // Account details are only shown in the account menu, so they are fetched after everything else.
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
  const isSuspended = info.State === 'suspended';
  return (
    <QueryClientProvider client={queries}>
      {view && <ViewBar view={view} />}
      <Frame hasRules={rules.ready}>
        {rules.failed && <ErrorState onRetry={rules.retry} />}
        {rules.ready && may('Operator/GetAlarmList') && <AlarmBanner />}
        {isSuspended && <SuspendedBanner />}
        {rules.ready && info.Level !== OPERATOR && <AnnouncementBanner />}
        {rules.ready && info.Level !== OPERATOR && !isSuspended && pathname !== WALLET && <OwedBanner />}
        <BreadcrumbsContext.Provider value={breadcrumbs}>
          {rules.ready && <Allowed path={pathname} info={info} isSuspended={isSuspended} />}
        </BreadcrumbsContext.Provider>
        {!rules.ready && !rules.failed && <LoadingScreen />}
      </Frame>
      <Suspense fallback={null}>{isAsked && <ConfirmTwoFactor />}</Suspense>
      {/* The user answers one question at a time. */}
      <Suspense fallback={null}>{mustAccept(info) && !isAsked && <AcceptTexts texts={info.TextsToAccept} />}</Suspense>
      <Suspense fallback={null}>{rules.ready && <Chat />}</Suspense>
    </QueryClientProvider>
  );
}

interface Asked {
  path: string;
  info: UserInfo;
  isSuspended: boolean;
}

/** Renders the screen at a path if the user may open it. */
function Allowed({ path, info, isSuspended }: Asked) {
  if (!core().canOpen(path, info.Level, info.Role ?? undefined)) return <NotFound inLayout />;
  return isSuspended && !core().canOpenWhileSuspended(path) ? <SuspendedPage /> : <Outlet />;
}

/** Loads the wasm rules before any screen is rendered. */
function useRules() {
  const [state, setState] = useState({ ready: false, failed: false, attempt: 0 });
  const { attempt } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
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
