import type { CaseEvent, CaseScope } from '../../events/cases.js';
import { parseTextQuery, isVague } from '../../contexts/messages/text-search/text-query.js';
import { countWords } from '../../contexts/messages/text-search/words.js';
import { boundedText, requiredText } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { sortedIds } from '../../kernel/ids.js';
import type { Case, CaseDescription } from './case.state.js';

/** Who acts, in addition to the actor in the metadata: the operating system's account on the command line, or null. */
export interface CaseActor {
  readonly operator: string | null;
}

/**
 * Normalizes and checks a description.
 *
 * @throws ApplicationError `textBlank`, `textTooLong`, `textNotOnOneLine`, `caseScopeTooWide`, `caseScopeBackwards`
 */
function soundDescription({ name, description, scope, words }: CaseDescription): CaseDescription {
  const { userIds, channelIds, since, until } = scope;
  if (userIds.length + channelIds.length > budgets.caseScope.max)
    throw failure('caseScopeTooWide', { reason: budgets.caseScope.max });
  if (since !== null && until !== null && since > until) throw failure('caseScopeBackwards');
  return {
    name: requiredText(name, { name: 'name', max: budgets.caseName.max, isName: true }),
    description: boundedText(description, { name: 'description', max: budgets.caseDescription.max }),
    scope: { userIds: sortedIds(userIds), channelIds: sortedIds(channelIds), since, until },
    words: words === null || words.trim() === '' ? null : validSearchWords(words),
  };
}

/**
 * Checks that words select some texts and not others.
 *
 * @throws ApplicationError `textTooLong`, `tooManyCaseWords`, `vagueCaseWords`
 */
export function validSearchWords(words: string): string {
  const sound = boundedText(words, { name: 'words', max: budgets.searchCharacters.max });
  if (countWords(sound) > budgets.searchWords.max)
    throw failure('tooManyCaseWords', { reason: budgets.searchWords.max });
  if (isVague(parseTextQuery(sound))) throw failure('vagueCaseWords');
  return sound;
}

/** What the caller knows of the case on which they act. */
interface ReadCase {
  /** The revision of the case that the caller read; absent: any. */
  readonly revision?: number | undefined;
}

/** A change of a case. Absent fields keep the value that the case has at the time of the decision. */
export interface CaseChange extends Partial<Omit<CaseDescription, 'scope'>>, ReadCase {
  readonly scope?: Partial<CaseScope>;
}

/** @param caseId the number of the new case, not in use yet */
export function decideCreateCase(
  caseId: number,
  description: CaseDescription,
  { operator }: CaseActor,
): readonly CaseEvent[] {
  if (caseId > budgets.cases.max) throw failure('tooManyCases');
  return [{ type: 'CaseCreated', data: { caseId, ...soundDescription(description), operator } }];
}

/**
 * Changes a case; absent fields keep their value. What changes nothing succeeds at any given revision: a request whose
 * reply was lost can be repeated.
 *
 * @throws ApplicationError `noSuchCase`, `caseClosed`; `caseChangedMeanwhile` when the case is not at the given
 * revision; `caseHeld` for another scope while a hold stands, because the hold applies to this scope
 */
export function decideChangeCase(
  state: Case | null,
  { revision, scope: scopeChange, ...change }: CaseChange,
  { operator }: CaseActor,
): readonly CaseEvent[] {
  const found = openCase(state);
  const { id: caseId, key: caseKey, name, description, scope, words } = found;
  const before = { name, description, scope, words };
  const after = soundDescription({ ...before, ...change, scope: { ...scope, ...scopeChange } });
  if (isSame(before, after)) return [];
  assertRevision(found, revision);
  if (found.held !== null && !isSame([scope, words], [after.scope, after.words])) throw failure('caseHeld');
  return [{ type: 'CaseChanged', data: { caseId, caseKey, ...after, operator } }];
}

/**
 * Places a legal hold on the scope that the case has. If a hold stands already, this changes nothing: a request whose
 * reply was lost can be repeated.
 *
 * @throws ApplicationError `noSuchCase`, `caseClosed`; `caseChangedMeanwhile` when the case is not at the given revision,
 * or was changed between that revision and the hold that stands, which may be on another scope than the caller read
 */
export function decidePlaceHold(
  state: Case | null,
  { revision }: ReadCase,
  { operator }: CaseActor,
): readonly CaseEvent[] {
  const found = openCase(state);
  const { id: caseId, key: caseKey, scope, words, held } = found;
  if (held !== null && (revision === undefined || revision >= held.revision - 1)) return [];
  assertRevision(found, revision);
  return [{ type: 'CaseHoldPlaced', data: { caseId, caseKey, scope, words, operator } }];
}

/** @throws ApplicationError `noSuchCase` */
export function decideLiftHold(state: Case | null, { operator }: CaseActor): readonly CaseEvent[] {
  const { id: caseId, held } = knownCase(state);
  return held === null ? [] : [{ type: 'CaseHoldLifted', data: { caseId, operator } }];
}

/**
 * Closes a case permanently. A case that is closed already stays so, at any given revision: a request whose reply was
 * lost can be repeated.
 *
 * @throws ApplicationError `noSuchCase`; `caseHeld` while a hold stands: it must be lifted explicitly first;
 * `caseChangedMeanwhile` when the case is not at the given revision
 */
export function decideCloseCase(
  state: Case | null,
  { revision }: ReadCase,
  { operator }: CaseActor,
): readonly CaseEvent[] {
  const found = knownCase(state);
  if (found.closed !== null) return [];
  assertRevision(found, revision);
  if (found.held !== null) throw failure('caseHeld');
  return [{ type: 'CaseClosed', data: { caseId: found.id, operator } }];
}

/** @throws ApplicationError `caseChangedMeanwhile` */
function assertRevision(found: Case, revision: number | undefined): void {
  if (revision !== undefined && revision !== found.revision) throw failure('caseChangedMeanwhile');
}

/** @throws ApplicationError `noSuchCase` */
export function knownCase(state: Case | null): Case {
  if (state === null) throw failure('noSuchCase');
  return state;
}

function openCase(state: Case | null): Case {
  const found = knownCase(state);
  if (found.closed !== null) throw failure('caseClosed');
  return found;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
