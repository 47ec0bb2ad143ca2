import { useMemo } from 'react';
import { useApi } from '../../api/use-api.js';
import type { Choice } from '../../components/list-input.js';

interface EventTypes {
  readonly event_types: readonly { readonly type: string; readonly description: string }[];
}

const none: readonly Choice[] = [];

/** All types of events that the log may contain; empty until they are loaded. */
export function useEventTypes(): readonly Choice[] {
  const { data } = useApi<EventTypes>('audit/event_types');
  return useMemo(
    () => data?.event_types.map(({ type: value, description: meaning }) => ({ value, meaning })) ?? none,
    [data],
  );
}
