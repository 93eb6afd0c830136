// The app: its routes, and the toasts above everything.
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { RouterProvider } from 'react-router';
import { textsAreMissing, watchTexts } from '@/i18n';
import { useToasts } from '@/ui/toast';
import { router } from './router';
import { TextsMissing } from './TextsMissing';

// Where toasts appear is loaded with the first of them: nobody waits for it to sign in.
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
