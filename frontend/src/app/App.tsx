// The app: its routes, the server's data, and the toasts above everything.
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { RouterProvider } from 'react-router';
import { queryClient } from '@/stores/queries';
import { Toasters } from '@/ui/Toasters';
import { router } from './router';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={null}>
        <RouterProvider router={router} />
      </Suspense>
      <Toasters />
    </QueryClientProvider>
  );
}
