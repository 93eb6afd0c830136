// Root component: the router, and the toasts above it.
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { RouterProvider } from 'react-router';
import { textsAreMissing, watchTexts } from '@/i18n';
import { useToasts } from '@/ui/toast';
import { router } from './router';
import { TextsMissing } from './TextsMissing';

// Toast containers are loaded with the first toast, to keep the sign-in bundle small.
const Toasters = lazy(async () => ({ default: (await import('@/ui/Toasters')).Toasters }));

export function App() {
  const hasToasts = useToasts((state) => state.any);
  if (useSyncExternalStore(watchTexts, textsAreMissing)) return <TextsMissing />;
  return (
    <>
      <Suspense fallback={null}>
        <RouterProvider router={router} />
      </Suspense>
      <Suspense fallback={null}>{hasToasts && <Toasters />}</Suspense>
    </>
  );
}
