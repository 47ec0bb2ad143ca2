import type { Operand, Term } from '../../../src/contexts/messages/narrow/terms.js';
import { channels, lastRareId, people, type Feature } from './narrow-world.js';

/** A term of the narrow grammar, and how many messages it lets through. */
export interface KnownTerm {
  readonly operator: Term['operator'];
  readonly operand: Operand;
  /** Where it depends on the world, the feature that it asks for. */
  readonly frequency: 'rare' | 'common' | Feature;
}

type TermOfOperator = Omit<KnownTerm, 'operator'>;

/**
 * The terms of each operator. The type demands an entry for every operator of the grammar, so that none is left out of the tests of
 * narrows.
 */
const termsByOperator: Readonly<
  Record<KnownTerm['operator'], readonly [TermOfOperator, ...TermOfOperator[]]>
> = {
  channel: [
    { operand: channels.busy, frequency: 'common' },
    { operand: channels.quiet, frequency: 'rare' },
  ],
  channels: [
    { operand: 'public', frequency: 'common' },
    { operand: 'archived', frequency: 'rare' },
  ],
  topic: [
    { operand: 'common', frequency: 'common' },
    { operand: 'rare', frequency: 'rare' },
  ],
  dm: [
    { operand: [people.busy], frequency: 'common' },
    { operand: [people.quiet], frequency: 'rare' },
  ],
  'dm-including': [
    { operand: [people.busy], frequency: 'common' },
    { operand: [people.quiet], frequency: 'rare' },
  ],
  'group-pm-with': [{ operand: [people.quiet], frequency: 'rare' }],
  sender: [
    { operand: people.busy, frequency: 'common' },
    { operand: people.quiet, frequency: 'rare' },
  ],
  mentions: [
    { operand: people.busy, frequency: 'common' },
    { operand: people.quiet, frequency: 'rare' },
  ],
  id: [{ operand: 7, frequency: 'rare' }],
  is: [
    { operand: 'dm', frequency: 'common' },
    { operand: 'starred', frequency: 'rare' },
    { operand: 'unread', frequency: 'rare' },
    { operand: 'followed', frequency: 'rare' },
    { operand: 'muted', frequency: 'rare' },
    { operand: 'mentioned', frequency: 'mentioned' },
    { operand: 'alerted', frequency: 'alerted' },
    { operand: 'resolved', frequency: 'resolved' },
  ],
  in: [
    { operand: 'home', frequency: 'common' },
    { operand: 'all', frequency: 'common' },
  ],
  near: [{ operand: '230', frequency: 'common' }],
  with: [
    // Message 1 lies in the quiet channel, and the first of the common ones in the busy one.
    { operand: '1', frequency: 'rare' },
    { operand: String(lastRareId + 1), frequency: 'common' },
  ],
  search: [
    { operand: 'engine', frequency: 'common' },
    { operand: 'loom', frequency: 'rare' },
    { operand: '"analytical engine"', frequency: 'common' },
    { operand: '"weaving loom"', frequency: 'rare' },
    { operand: '"engine analytical"', frequency: 'rare' },
    // Words of topics.
    { operand: 'common', frequency: 'common' },
    { operand: 'rare', frequency: 'rare' },
    { operand: 'followed loom', frequency: 'rare' },
    { operand: 'followed engine', frequency: 'rare' },
  ],
  has: [
    { operand: 'link', frequency: 'hasLink' },
    { operand: 'image', frequency: 'hasImage' },
    { operand: 'attachment', frequency: 'hasAttachment' },
    { operand: 'reaction', frequency: 'hasReaction' },
  ],
};

export const knownTerms: readonly KnownTerm[] = (
  Object.entries(termsByOperator) as [KnownTerm['operator'], readonly TermOfOperator[]][]
).flatMap(([operator, terms]) => terms.map((term) => ({ operator, ...term })));
