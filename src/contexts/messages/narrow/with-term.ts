import { failure } from '../../../kernel/errors.js';
import type { MessageDocument } from '../message-document.js';
import type { Term } from './terms.js';

/** Returns where a message lies, or null when the person cannot see it. */
export type LocateMessage = (messageId: number) => Promise<MessageDocument | null>;

/**
 * Replaces the operator `with` by the conversation in which that message lies now. When the person cannot see
 * the message, the term is dropped if the other terms name a conversation by themselves.
 *
 * @throws ApplicationError `badNarrow` for more than one `with`, an operand that is no id, or nothing left to
 * narrow to
 */
export async function resolveWith(terms: readonly Term[], locate: LocateMessage): Promise<readonly Term[]> {
  const [term, another] = terms.filter(({ operator }) => operator === 'with');
  if (term === undefined) return terms;
  if (another !== undefined) throw failure('badNarrow', { desc: "Duplicate 'with' operators." });
  const operand = typeof term.operand === 'string' ? term.operand.trim() : term.operand;
  if (term.negated || !/^\d+$/.test(String(operand)))
    throw failure('badNarrow', { desc: "Invalid 'with' operator" });
  const message = await locate(Number(operand));
  if (message !== null)
    return [...terms.filter((other) => !namesConversation(other)), ...conversationTerms(message)];
  const rest = terms.filter((other) => other !== term);
  if (!isConversation(rest)) throw failure('badNarrow', { desc: "Invalid 'with' operator" });
  return rest;
}

function namesConversation({ operator, operand, negated }: Term): boolean {
  switch (operator) {
    case 'with':
    case 'channel':
    case 'topic':
    case 'dm':
      return true;
    case 'is':
      return !negated && (operand === 'dm' || operand === 'private');
    default:
      return false;
  }
}

function conversationTerms({ channelId, topic, participantIds }: MessageDocument): readonly Term[] {
  if (channelId === null) return [{ operator: 'dm', operand: participantIds ?? [], negated: false }];
  return [
    { operator: 'channel', operand: channelId, negated: false },
    { operator: 'topic', operand: topic ?? '', negated: false },
  ];
}

function isConversation(terms: readonly Term[]): boolean {
  const named = new Set(terms.filter(({ negated }) => !negated).map(({ operator }) => operator));
  return named.has('dm') || (named.has('channel') && named.has('topic'));
}
