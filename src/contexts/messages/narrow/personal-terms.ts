import { failure } from '../../../kernel/errors.js';
import type { Filter } from '../../../stores/read-store/port.js';
import { difference, idsIn, type IdRanges } from '../flags/id-ranges.js';
import { isRead, type PersonalFlags } from '../flags/flags.state.js';
import { everyoneMentioned, manyMentioned } from '../mentions.js';
import type { FoundMessage, NarrowContext } from './compiled-narrow.js';
import { maxMessageId } from './sources.js';
import type { Operand, Term } from './terms.js';

/** Whether a term is about what is the person's own, and so leaves out history that never reached them (facts, section 2). */
export function isAboutPersonal({ operator, operand }: Term): boolean {
  return operator === 'is' && operand !== 'resolved';
}

/** What the operator `is` asks of a message. Null: nothing but where it lies, or no index tells; see {@link unreadTests}. */
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

/** Whoever is one of too many to be listed each is looked for among those whom the text means. */
function mentionedCondition(userId: number): Filter {
  const among = [{ 'mentions.groups.userIds': userId }, { 'mentions.topicParticipantIds': userId }];
  return {
    $or: [
      { mentionedIds: userId },
      { mentionedIds: everyoneMentioned },
      { mentionedIds: manyMentioned, $or: among },
    ],
  };
}

/** What the terms about being unread ask of a message. */
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

/** Where the messages lie that the terms about being unread let through; null: anywhere. */
export function unreadStretches(terms: readonly Term[], { flags }: NarrowContext): IdRanges | null {
  return terms.some((term) => isUnreadTerm(term) && !term.negated) ? notRead(flags) : null;
}

function notRead({ read }: PersonalFlags): IdRanges {
  return difference([{ from: 1, through: maxMessageId - 1 }], read);
}

function isUnreadTerm({ operator, operand }: Term): boolean {
  return operator === 'is' && operand === 'unread';
}
