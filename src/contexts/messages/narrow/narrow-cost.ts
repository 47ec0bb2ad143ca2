import type { CompiledNarrow, NarrowContext, Source } from './compiled-narrow.js';
import { countIn } from '../flags/id-ranges.js';
import { everything, type Window } from './sources.js';
import type { Term } from './terms.js';

/** If a search scans more ranges of an index than this, it goes to a reader thread. */
const MAX_SCANS = 50;

/** With more adopted messages than this, too: their scan of each channel looks up all of them. */
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
 * Whether a window has so few sources of a narrow that the request thread can search them. An index is scanned once for each channel of a
 * source: messages that a person adopted, or that a bot was given, are one source that may name every channel of the organization.
 */
export function hasFewSources(
  { sources }: Pick<CompiledNarrow, 'sources'>,
  { flags }: Pick<NarrowContext, 'flags'>,
  { from, to }: Window = everything,
): boolean {
  const scans = sources
    .filter(({ after, through }) => after < to && (through === null || through >= from))
    .reduce((count, source) => count + scansOf(source), 0);
  return scans <= MAX_SCANS && countIn(flags.adopted) <= MAX_ADOPTED;
}

function scansOf({ channelIds, arrivals }: Source): number {
  return (channelIds?.length ?? 1) * (arrivals?.length ?? 1);
}

/** The operators of a narrow, without their operands. */
export function shapeOf(narrow: readonly Term[]): string {
  return `[${narrow.map(({ operator, negated }) => `${negated ? '-' : ''}${operator}`).join(' ')}]`;
}
