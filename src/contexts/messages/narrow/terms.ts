import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { countWords } from '../text-search/words.js';

/** The operators of the narrow grammar by their names; some have an older name too. */
const canonicalOperators: Readonly<Record<string, Operator>> = {
  channel: 'channel',
  stream: 'channel',
  channels: 'channels',
  streams: 'channels',
  topic: 'topic',
  dm: 'dm',
  'pm-with': 'dm',
  pm_with: 'dm',
  'dm-including': 'dm-including',
  'group-pm-with': 'group-pm-with',
  group_pm_with: 'group-pm-with',
  sender: 'sender',
  id: 'id',
  near: 'near',
  with: 'with',
  has: 'has',
  is: 'is',
  in: 'in',
  mentions: 'mentions',
  search: 'search',
};

/** Every name that an operator goes by, in the order of the grammar. */
export const operatorNames: readonly string[] = Object.keys(canonicalOperators);

type Operator =
  | 'channel'
  | 'channels'
  | 'topic'
  | 'dm'
  | 'dm-including'
  | 'group-pm-with'
  | 'sender'
  | 'id'
  | 'near'
  | 'with'
  | 'has'
  | 'is'
  | 'in'
  | 'mentions'
  | 'search';

/** Text, a number (an id), or a list of ids. */
export type Operand = string | number | readonly number[];

/** One term of a narrow, checked for its shape; its operand is looked up when it is compiled. */
export interface Term {
  readonly operator: Operator;
  readonly operand: Operand;
  readonly negated: boolean;
}

const mustBeText: ReadonlySet<string> = new Set([
  'near',
  'topic',
  'is',
  'in',
  'has',
  'channels',
  'pm_with',
  'group_pm_with',
  'search',
]);
const mayBeList: ReadonlySet<string> = new Set(['dm', 'pm-with', 'dm-including', 'group-pm-with']);

/**
 * Parses the parameter `narrow`: a list of `{operator, operand, negated?}` or `[operator, operand]`.
 *
 * @throws ApplicationError `invalidNarrowTerm` for a malformed shape, `badNarrow` for an unknown operator
 */
export function parseNarrow(narrow: unknown): readonly Term[] {
  if (!Array.isArray(narrow)) throw failure('narrowNotList');
  if (narrow.length > budgets.narrowTerms.max)
    throw failure('narrowTooLong', { reason: budgets.narrowTerms.max });
  const terms = narrow.map(parseTerm);
  refuseLongSearches(terms);
  refuseManyPeople(terms);
  return terms;
}

/** The limit applies to all search terms together. */
function refuseLongSearches(terms: readonly Term[]): void {
  const searches = terms.flatMap(({ operator, operand }) => (operator === 'search' ? String(operand) : []));
  const characters = searches.reduce((sum, text) => sum + text.length, 0);
  if (characters > budgets.searchCharacters.max)
    throw failure('badNarrow', { desc: `search is longer than ${budgets.searchCharacters.max} characters` });
  const words = searches.reduce((sum, text) => sum + countWords(text), 0);
  if (words > budgets.searchWords.max)
    throw failure('badNarrow', { desc: `search has more than ${budgets.searchWords.max} words` });
}

function refuseManyPeople(terms: readonly Term[]): void {
  const people = terms.reduce((sum, { operator, operand }) => sum + peopleNamed(operator, operand), 0);
  if (people > budgets.narrowPeople.max)
    throw failure('badNarrow', { desc: `more than ${budgets.narrowPeople.max} people` });
}

function peopleNamed(operator: Operator, operand: Operand): number {
  if (typeof operand === 'object') return operand.length;
  return mayBeList.has(operator) ? String(operand).split(',').length : 0;
}

function parseTerm(item: unknown, index: number): Term {
  const { operator, operand, negated } = shapeOf(item, index);
  if (typeof operator !== 'string') throw malformed(index, 'operator is not a string');
  if (negated !== undefined && typeof negated !== 'boolean')
    throw malformed(index, 'negated is not a boolean');
  const canonical = canonicalOperators[operator];
  if (canonical === undefined || !Object.hasOwn(canonicalOperators, operator)) {
    throw failure('badNarrow', { desc: `unknown operator ${operator}` });
  }
  return { operator: canonical, operand: parseOperand(operator, operand, index), negated: negated ?? false };
}

interface Shape {
  readonly operator: unknown;
  readonly operand: unknown;
  readonly negated?: unknown;
}

function shapeOf(item: unknown, index: number): Shape {
  if (Array.isArray(item)) {
    if (item.length !== 2 || item.some((part) => typeof part !== 'string')) {
      throw malformed(index, 'element is not a string pair');
    }
    return { operator: item[0], operand: item[1] };
  }
  if (typeof item !== 'object' || item === null) throw malformed(index, 'dict or list required');
  const { operator, operand, negated } = item as Partial<Shape>;
  if (operator === undefined) throw malformed(index, 'operator is missing');
  if (operand === undefined || operand === null) throw malformed(index, 'operand is missing');
  return negated === undefined ? { operator, operand } : { operator, operand, negated };
}

function parseOperand(operator: string, operand: unknown, index: number): Operand {
  if (operator === 'search' && typeof operand === 'string' && operand.trim() === '') {
    throw malformed(index, 'operand cannot be blank');
  }
  if (typeof operand === 'string') return textOperand(operand);
  if (mustBeText.has(operator)) throw malformed(index, 'operand is not a string');
  if (Number.isSafeInteger(operand) && operator !== 'dm' && operator !== 'pm-with') return operand as number;
  if (mayBeList.has(operator) && isIdList(operand)) return operand;
  throw malformed(index, 'operand has the wrong type');
}

function textOperand(operand: string): string {
  if (operand.length > budgets.narrowOperand.max)
    throw failure('badNarrow', {
      desc: `operand is longer than ${budgets.narrowOperand.max} characters`,
    });
  return operand;
}

function isIdList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item));
}

function malformed(index: number, reason: string): Error {
  return failure('invalidNarrowTerm', { reason: { index, fault: reason } });
}
