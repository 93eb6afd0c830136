// Queries of the security screens, and their invalidation.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';

const TWO_FACTOR = ['two-factor'];
const SESSIONS = ['sessions'];
export const SECURITY_LOG = 'security-log';

export const useTwoFactor = () =>
  useQuery({
    queryKey: TWO_FACTOR,
    queryFn: ({ signal }) => post('User/GetTwoFactor', undefined, { signal, silent: true }),
  });

export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => post('User/GetSessionList', undefined, { signal, silent: true }),
  });

export function useRefreshed() {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of [TWO_FACTOR, SESSIONS, [SECURITY_LOG]]) queryClient.invalidateQueries({ queryKey });
  };
}
