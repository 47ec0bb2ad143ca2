import { failure } from '../../../kernel/errors.js';
import type { Filter, ModelStore } from '../../../stores/read-store/port.js';
import type { ConversationDocument } from '../conversation-documents.js';
import type { MessageDocument } from '../message-document.js';
import type { NarrowContext } from './compiled-narrow.js';
import { conversationOf, participantOf } from './operands.js';
import type { Term } from './terms.js';

/** Above this number, conversations are not searched one by one. */
const MAX_CONVERSATIONS = 300;

/**
 * Keys of the only conversations that the terms about direct messages can match; null: the terms name no
 * people, or people with more than {@link MAX_CONVERSATIONS}.
 */
export async function conversationsOf(
  terms: readonly Term[],
  context: NarrowContext,
  model: ModelStore,
): Promise<readonly string[] | null> {
  const naming = terms.filter(({ operator, negated }) => !negated && namesPeople.has(operator));
  const exact = naming
    .filter(({ operator }) => operator === 'dm')
    .map((term) => conversationOf(term, context));
  const [key, another] = new Set(exact);
  if (another !== undefined) return [];
  if (naming.length === 0) return null;
  const people = new Set(naming.flatMap((term) => participantOf(term, context)));
  const groupsOnly = naming.some(({ operator }) => operator === 'group-pm-with');
  if (key !== undefined) {
    const participants = new Set(key.split(',').map(Number));
    const isSuch =
      participants.size > (groupsOnly ? 2 : 0) && [...people].every((id) => participants.has(id));
    return isSuch || key === '' ? [key] : [];
  }
  const filter: Filter = { $and: [...people].map((id) => ({ participantIds: id })) };
  const found = await model
    .collection<ConversationDocument>('conversations')
    .find(filter, { limit: MAX_CONVERSATIONS + 1, projection: { participantIds: 1 } });
  if (found.length > MAX_CONVERSATIONS) return null;
  return found.filter(({ participantIds }) => !groupsOnly || participantIds.length > 2).map(({ _id }) => _id);
}

const namesPeople: ReadonlySet<Term['operator']> = new Set(['dm', 'dm-including', 'group-pm-with']);

/** Returns where a message lies, or null when the person cannot see it. */
type LocateMessage = (messageId: number) => Promise<MessageDocument | null>;

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
