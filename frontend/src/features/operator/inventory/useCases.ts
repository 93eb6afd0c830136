// Use cases of the shop, named in the operator's language.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type UseCase, useCasesQuery } from '@/api/inventory';
import { useMay } from '@/stores/may';
import { useName } from '@/ui/texts';

/** A use case with its place in the list, from 1. */
export interface Placed extends UseCase {
  Position: number;
}

/** The use cases in their order, undefined until they are loaded, and the names of some: a key if it is no longer there. */
export function useUseCases() {
  const may = useMay();
  const name = useName();
  const all = useQuery({ ...useCasesQuery, enabled: may('Operator/GetUseCaseList') }).data;
  return useMemo(() => {
    const useCases = all?.map(({ Target, NameEn, NameZh }) => ({ Target, label: name({ en: NameEn, zh: NameZh }) }));
    const labels = new Map(useCases?.map(({ Target, label }) => [Target, label]));
    const places = [...labels.keys()];
    const namesOf = (targets: readonly string[]) =>
      targets
        .toSorted((one, other) => places.indexOf(one) - places.indexOf(other))
        .map((target) => labels.get(target) ?? target);
    return { useCases, namesOf };
  }, [all, name]);
}
