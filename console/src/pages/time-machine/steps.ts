import { useApi } from '../../api/use-api.js';
import type { ConversationChange, ConversationChanges, PastMoment } from './past.js';

const PATH = 'audit/conversation/changes';

/** After the end of every log. */
const END = Number.MAX_SAFE_INTEGER;

/** Stands for a moment that is not loaded, so that its questions, which are never sent, differ from those of {@link useEnds}. */
const UNKNOWN = -1;

/** The changes of a conversation around a moment. */
export interface Steps {
  /** The change that led to what is shown; null: nothing had happened yet, or it is not loaded. */
  readonly current: ConversationChange | null;
  /** Null: there is none, or it is not loaded. */
  readonly before: ConversationChange | null;
  readonly next: ConversationChange | null;
  /** Whether they still belong to the previous moment. */
  readonly isPending: boolean;
}

/** @param at null: not loaded yet */
export function useSteps(conversation: Readonly<Record<string, unknown>>, at: PastMoment | null): Steps {
  const position = at?.position ?? UNKNOWN;
  const enabled = at !== null;
  const until = useApi<ConversationChanges>(
    PATH,
    { ...conversation, before: position + 1, limit: 2 },
    { enabled },
  );
  const next = useApi<ConversationChanges>(PATH, { ...conversation, after: position, limit: 1 }, { enabled });
  const [current = null, previous = null] = until.data?.changes ?? [];
  return {
    current,
    before: current?.position === position ? previous : current,
    next: next.data?.changes[0] ?? null,
    isPending: until.isPlaceholderData || next.isPlaceholderData,
  };
}

/** The first and the last change of a conversation, between which the slider moves. */
export function useEnds(conversation: Readonly<Record<string, unknown>>) {
  const first = useApi<ConversationChanges>(PATH, { ...conversation, after: 0, limit: 1 });
  const last = useApi<ConversationChanges>(PATH, { ...conversation, before: END, limit: 1 });
  return {
    /** Null: there are none, or they are not loaded. */
    first: first.data?.changes[0] ?? null,
    last: last.data?.changes[0] ?? null,
    isLoaded: first.data !== undefined && last.data !== undefined,
    error: first.error ?? last.error,
    retry: () => void Promise.all([first.refetch(), last.refetch()]),
  };
}
