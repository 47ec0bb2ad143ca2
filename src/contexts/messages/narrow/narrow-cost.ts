import type { CompiledNarrow, NarrowContext } from './compiled-narrow.js';
import { countIn } from '../flags/id-ranges.js';
import { everything, type Window } from './sources.js';
import type { Term } from './terms.js';

/** Over more sources than this, a search goes to a reader thread. */
const MAX_SOURCES = 50;

/** With more adopted messages than this, too: each filter names them all. */
const MAX_ADOPTED = 100;

/** Narrows with only these operators are read directly from an index. */
const quickOperators: ReadonlySet<string> = new Set([
  'channel',
  'topic',
  'dm',
  'sender',
  'id',
  'near',
  'with',
]);

/** Whether reading a page of a narrow may take long. */
export function mayBeLong(narrow: readonly Term[]): boolean {
  return narrow.some(({ operator, negated }) => negated || !quickOperators.has(operator));
}

/**
 * Whether a window has so few sources of a narrow that the request thread can search them. Messages that the person adopted make one source,
 * but a filter with all their ids.
 */
export function hasFewSources(
  { sources }: Pick<CompiledNarrow, 'sources'>,
  { flags }: Pick<NarrowContext, 'flags'>,
  { from, to }: Window = everything,
): boolean {
  const scans = sources
    .filter(({ after, through }) => after < to && (through === null || through >= from))
    .reduce((count, { arrivals }) => count + (arrivals?.length ?? 1), 0);
  return scans <= MAX_SOURCES && countIn(flags.adopted) <= MAX_ADOPTED;
}

/** The operators of a narrow, without their operands. */
export function shapeOf(narrow: readonly Term[]): string {
  return `[${narrow.map(({ operator, negated }) => `${negated ? '-' : ''}${operator}`).join(' ')}]`;
}
