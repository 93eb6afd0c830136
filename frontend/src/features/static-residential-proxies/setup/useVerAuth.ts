// Query of a plan's access mode and credentials.
import { useQuery } from '@tanstack/react-query';
import { post } from '@/api/client';

export const useVerAuth = (verStr: string) =>
  useQuery({
    queryKey: ['ver-auth', verStr],
    queryFn: ({ signal }) => post('Ips/UserGetVerAuth', { VerStr: verStr }, { signal, silent: true }),
    enabled: verStr !== '',
  });
