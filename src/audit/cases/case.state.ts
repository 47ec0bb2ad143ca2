import type { CaseEvent, CaseScope } from '../../events/cases.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';

/** What a case is about. */
export interface CaseDescription {
  readonly name: string;
  readonly description: string;
  readonly scope: CaseScope;
  /** Null: whatever a message says. */
  readonly words: string | null;
}

/** Who did something, and when. */
export interface CaseAct {
  /** Null: on the command line. */
  readonly actorId: number | null;
  /** The operating system's account; null: over HTTP. */
  readonly operator: string | null;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** A case as its stream tells. */
export interface Case extends CaseDescription {
  readonly id: number;
  /** Id of the event that created it, which names the key of what is written about it. */
  readonly key: string;
  /** Of the last event of its stream: whoever changes what they read names it. */
  readonly revision: number;
  readonly created: CaseAct;
  /** Null: no hold stands. */
  readonly held: CaseAct | null;
  /** Null: it is open. */
  readonly closed: CaseAct | null;
}

/** How a case follows from its stream; null: there is none. */
export const caseFold: Fold<Case | null, RecordedEvent<CaseEvent>> = { initial: null, evolve: evolveCase };

function evolveCase(state: Case | null, event: RecordedEvent<CaseEvent>): Case | null {
  const act = actOf(event);
  const { revision } = event;
  if (event.type === 'CaseCreated') {
    const { caseId: id, operator: _operator, ...description } = event.data;
    return {
      id,
      key: event.id,
      revision,
      ...description,
      created: act,
      held: null,
      closed: null,
    };
  }
  if (state === null) return null;
  switch (event.type) {
    case 'CaseChanged': {
      const { name, description, scope, words } = event.data;
      return { ...state, revision, name, description, scope, words };
    }
    case 'CaseHoldPlaced':
      return { ...state, revision, held: act };
    case 'CaseHoldLifted':
      return { ...state, revision, held: null };
    case 'CaseClosed':
      return { ...state, revision, closed: act };
    default:
      return unreachable(event);
  }
}

function actOf({ metadata: { actorId, at }, data: { operator } }: RecordedEvent<CaseEvent>): CaseAct {
  return { actorId, operator, at };
}
