import { failure } from '../../../kernel/errors.js';
import type { Filter } from '../../../stores/read-store/port.js';
import { difference, idsIn, type IdRanges } from '../flags/id-ranges.js';
import { isRead, type PersonalFlags } from '../flags/flags.state.js';
import { EVERYONE_MENTIONED, MANY_MENTIONED } from '../mentions.js';
import type { FoundMessage, NarrowContext } from './compiled-narrow.js';
import { MAX_MESSAGE_ID } from './sources.js';
import type { Operand, Term } from './terms.js';

/**
 * Whether a term concerns only the person's own messages, and so excludes history that never reached them.
 */
export function isAboutPersonal({ operator, operand }: Term): boolean {
  return operator === 'is' && operand !== 'resolved';
}

/**
 * The condition of an operator `is`. Null: it restricts only the place, or no index serves it; see {@link
 * unreadTests}.
 */
export function isCondition(operand: Operand, context: NarrowContext): Filter | null {
  switch (operand) {
    case 'dm':
    case 'private':
    case 'followed':
    case 'muted':
    case 'unread':
      return null;
    case 'resolved':
      return { isResolved: true };
    case 'starred':
      return { _id: { $in: idsIn(context.flags.starred) } };
    case 'mentioned':
      return mentionedCondition(context.user.id);
    case 'alerted':
      return { alertedIds: context.user.id };
    default:
      throw failure('badNarrow', { desc: `unknown 'is' operand ${String(operand)}` });
  }
}

/** A person who is one of too many to be listed individually is looked up in the stored mentions. */
function mentionedCondition(userId: number): Filter {
  const among = [{ 'mentions.groups.userIds': userId }, { 'mentions.topicParticipantIds': userId }];
  return {
    $or: [
      { mentionedIds: userId },
      { mentionedIds: EVERYONE_MENTIONED },
      { mentionedIds: MANY_MENTIONED, $or: among },
    ],
  };
}

/** The tests for the terms about unread messages. */
export function unreadTests(
  terms: readonly Term[],
  context: NarrowContext,
): readonly ((message: FoundMessage) => boolean)[] {
  return terms.filter(isUnreadTerm).map(
    ({ negated }) =>
      (message) =>
        isRead(context, message) === negated,
  );
}

/** The id ranges in which the terms about unread messages can match; null: anywhere. */
export function unreadRanges(terms: readonly Term[], { flags }: NarrowContext): IdRanges | null {
  return terms.some((term) => isUnreadTerm(term) && !term.negated) ? notRead(flags) : null;
}

function notRead({ read }: PersonalFlags): IdRanges {
  return difference([{ from: 1, through: MAX_MESSAGE_ID - 1 }], read);
}

function isUnreadTerm({ operator, operand }: Term): boolean {
  return operator === 'is' && operand === 'unread';
}
