import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Filters of a page, by name; empty ones are not in the address. */
export type Filters<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Filters in the address, so that a link shows the same. With `isNew`, a change is a step of its own for the browser's Back button; without
 * it, it replaces the present one.
 *
 * @param names all filters of the page
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
): readonly [Filters<Name>, (changed: Partial<Filters<Name>>, isNew?: boolean) => void] {
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
    (changed: Partial<Filters<Name>>, isNew = false) => {
      const parameters = new URLSearchParams(search);
      for (const [name, value] of Object.entries<string | undefined>(changed)) {
        if (value === undefined || value === '') parameters.delete(name);
        else parameters.set(name, value);
      }
      const query = parameters.toString();
      navigate(query === '' ? location : `${location}?${query}`, { replace: !isNew });
    },
    [search, location, navigate],
  );
  return [filters, change];
}
