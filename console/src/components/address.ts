import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Filters of a page, by name; what is empty is not in the address. */
export type Filters<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Filters that stand in the address: whoever is sent it sees the same.
 *
 * @param names all that the page knows
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changed: Partial<Filters<Name>>) => void] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const known = names.join(' ');
  const filters = useMemo(() => {
    const parameters = new URLSearchParams(search);
    return Object.fromEntries(
      known.split(' ').map((name) => [name, parameters.get(name) ?? '']),
    ) as Filters<Name>;
  }, [search, known]);
  const change = useCallback(
    (changed: Partial<Filters<Name>>) => {
      const parameters = new URLSearchParams(search);
      for (const [name, value] of Object.entries<string | undefined>(changed)) {
        if (value === undefined || value === '') parameters.delete(name);
        else parameters.set(name, value);
      }
      const query = parameters.toString();
      navigate(query === '' ? location : `${location}?${query}`, { replace: true });
    },
    [search, location, navigate],
  );
  return [filters, change];
}
