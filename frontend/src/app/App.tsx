// The app: its routes, and the toasts above everything.
import { lazy, Suspense } from 'react';
import { RouterProvider } from 'react-router';
import { router } from './router';

// Toasts come after the first screen: nobody waits for them to sign in.
const Toasters = lazy(async () => ({ default: (await import('@/ui/Toasters')).Toasters }));

export function App() {
  return (
    <>
      <Suspense fallback={null}>
        <RouterProvider router={router} />
      </Suspense>
      <Suspense fallback={null}>
        <Toasters />
      </Suspense>
    </>
  );
}
