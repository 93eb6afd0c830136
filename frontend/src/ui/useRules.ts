// A part of the rules that a screen loads itself, because only some of its dialogs need it.
import { useQuery } from '@tanstack/react-query';

export const useRules = <Rules>(name: 'account' | 'endpoints' | 'residential', load: () => Promise<Rules>) =>
  useQuery({ queryKey: ['rules', name], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
