import type { CaseEvent, CaseScope } from '../../events/cases.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';

/** What a case is about. */
export interface CaseDescription {
  readonly name: string;
  readonly description: string;
  readonly scope: CaseScope;
  /** Null: any text. */
  readonly words: string | null;
}

/** Who did something, and when. */
export interface CaseAct {
  /** Null: an operator on the command line. */
  readonly actorId: number | null;
  /** The operating system's account; null: the act came over HTTP. */
  readonly operator: string | null;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** A legal hold that stands. */
interface Hold extends CaseAct {
  /** Revision of the event that placed it. */
  readonly revision: number;
}

/** A case, folded from its stream. */
export interface Case extends CaseDescription {
  readonly id: number;
  /** Id of the event that created it. It names the encryption key of the texts about the case. */
  readonly key: string;
  /** Revision of the last event of its stream. A change can name the revision that its author read. */
  readonly revision: number;
  readonly created: CaseAct;
  /** Null: no hold stands. */
  readonly held: Hold | null;
  /** Null: it is open. */
  readonly closed: CaseAct | null;
}

/** Folds a case from its stream; null: it does not exist. */
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
      return { ...state, revision, held: { ...act, revision } };
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
