import { knownTerms, type KnownTerm } from './known-terms.js';
import { worlds } from './narrow-world.js';

/** A term, and whether it is negated. */
export interface Asked {
  readonly term: KnownTerm;
  readonly negated: boolean;
}

/** A narrow in one of the worlds. */
export interface Narrow {
  /** Index into {@link worlds}. */
  readonly world: number;
  readonly terms: readonly Asked[];
}

/** Whether few messages of a world are as a term asks. */
export function isRare({ frequency }: KnownTerm, world: number): boolean {
  return frequency === 'rare' || (frequency !== 'common' && !worlds[world]!.includes(frequency));
}

/** What a narrow is called where a test fails. */
export function nameOf(terms: readonly Asked[]): string {
  return terms
    .map(({ term: { operator, operand }, negated }) => `${negated ? '-' : ''}${operator}:${String(operand)}`)
    .join(' ');
}

/** The value of the parameter `narrow`. */
export function parameterOf(terms: readonly Asked[]): readonly Readonly<Record<string, unknown>>[] {
  return terms.map(({ term: { operator, operand }, negated }) => ({ operator, operand, negated }));
}

/** The first world in which the terms are as rare, or as common, as they are wanted; -1: there is none. */
function worldOf(wanted: readonly (readonly [KnownTerm, 'rare' | 'common'])[]): number {
  return worlds.findIndex((_, world) =>
    wanted.every(([term, frequency]) => isRare(term, world) === (frequency === 'rare')),
  );
}

/** Every term of the grammar alone and every two, rare and common, each as it is and negated. */
export function everyNarrow(): readonly Narrow[] {
  const kinds = knownTerms.flatMap((term) =>
    (['rare', 'common'] as const).flatMap((frequency) =>
      [false, true].map((negated) => ({ term, frequency, negated })),
    ),
  );
  const alone = kinds.map((one) => [one]);
  const pairs = kinds.flatMap((one, at) =>
    kinds.slice(at + 1).flatMap((other) => (one.term === other.term ? [] : [[one, other]])),
  );
  return [...alone, ...pairs].flatMap((terms) => {
    const world = worldOf(terms.map(({ term, frequency }) => [term, frequency]));
    return world < 0 ? [] : [{ world, terms }];
  });
}
