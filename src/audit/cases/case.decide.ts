import type { CaseEvent, CaseScope } from '../../events/cases.js';
import { parseTextQuery, isVague } from '../../contexts/messages/text-search/text-query.js';
import { countWords } from '../../contexts/messages/text-search/words.js';
import { boundedText, requiredText } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { Case, CaseDescription } from './case.state.js';

/** Who asks, beside what the metadata says: the account on the command line, or null. */
export interface Asking {
  readonly operator: string | null;
}

/**
 * A description as it is recorded.
 *
 * @throws ApplicationError `textBlank`, `textTooLong`, `textNotOnOneLine`, `caseScopeTooWide`, `caseScopeBackwards`
 */
export function soundDescription({ name, description, scope, words }: CaseDescription): CaseDescription {
  const { userIds, channelIds, since, until } = scope;
  if (userIds.length + channelIds.length > budgets.caseScope.max)
    throw failure('caseScopeTooWide', { reason: budgets.caseScope.max });
  if (since !== null && until !== null && since > until) throw failure('caseScopeBackwards');
  return {
    name: requiredText(name, { name: 'name', max: budgets.caseName.max, isName: true }),
    description: boundedText(description, { name: 'description', max: budgets.caseDescription.max }),
    scope: { userIds: rising(userIds), channelIds: rising(channelIds), since, until },
    words: words === null || words.trim() === '' ? null : soundWords(words),
  };
}

/**
 * Words that texts can be told apart by.
 *
 * @throws ApplicationError `textTooLong`, `tooManyCaseWords`, `vagueCaseWords`
 */
export function soundWords(words: string): string {
  const sound = boundedText(words, { name: 'words', max: budgets.searchCharacters.max });
  if (countWords(sound) > budgets.searchWords.max)
    throw failure('tooManyCaseWords', { reason: budgets.searchWords.max });
  if (isVague(parseTextQuery(sound))) throw failure('vagueCaseWords');
  return sound;
}

/** What somebody wants to change about a case: what is left out stays as it is when it is decided. */
export interface CaseChange extends Partial<Omit<CaseDescription, 'scope'>> {
  readonly scope?: Partial<CaseScope>;
  /** The revision of the case that they read; absent: whatever it is by now. */
  readonly revision?: number;
}

/** @param caseId its number, which no case has */
export function decideCreateCase(
  caseId: number,
  description: CaseDescription,
  { operator }: Asking,
): readonly CaseEvent[] {
  if (caseId > budgets.cases.max) throw failure('tooManyCases');
  return [{ type: 'CaseCreated', data: { caseId, ...soundDescription(description), operator } }];
}

/**
 * What is left out of the change stays.
 *
 * @throws ApplicationError `noSuchCase`, `caseClosed`; `caseChangedMeanwhile` when it is not at the revision that is named; `caseHeld` for another scope
 * while a hold stands, which is about this one
 */
export function decideChangeCase(
  state: Case | null,
  { revision, scope: scopeChange, ...change }: CaseChange,
  { operator }: Asking,
): readonly CaseEvent[] {
  const found = openCase(state);
  if (revision !== undefined && revision !== found.revision) throw failure('caseChangedMeanwhile');
  const { id: caseId, key: caseKey, name, description, scope, words } = found;
  const before = { name, description, scope, words };
  const after = soundDescription({ ...before, ...change, scope: { ...scope, ...scopeChange } });
  if (isSame(before, after)) return [];
  if (found.held !== null && !isSame([scope, words], [after.scope, after.words])) throw failure('caseHeld');
  return [{ type: 'CaseChanged', data: { caseId, caseKey, ...after, operator } }];
}

/** @throws ApplicationError `noSuchCase`, `caseClosed` */
export function decidePlaceHold(state: Case | null, { operator }: Asking): readonly CaseEvent[] {
  const { id: caseId, key: caseKey, scope, words, held } = openCase(state);
  if (held !== null) return [];
  return [{ type: 'CaseHoldPlaced', data: { caseId, caseKey, scope, words, operator } }];
}

/** @throws ApplicationError `noSuchCase` */
export function decideLiftHold(state: Case | null, { operator }: Asking): readonly CaseEvent[] {
  const { id: caseId, held } = knownCase(state);
  return held === null ? [] : [{ type: 'CaseHoldLifted', data: { caseId, operator } }];
}

/** @throws ApplicationError `noSuchCase`; `caseHeld` while a hold stands: it is lifted by name, and not in passing */
export function decideCloseCase(state: Case | null, { operator }: Asking): readonly CaseEvent[] {
  const { id: caseId, held, closed } = knownCase(state);
  if (held !== null) throw failure('caseHeld');
  return closed === null ? [{ type: 'CaseClosed', data: { caseId, operator } }] : [];
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

function rising(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
