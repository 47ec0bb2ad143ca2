import type { Filter, ModelStore } from '../../../stores/read-store/port.js';
import type { ConversationDocument } from '../conversation-documents.js';
import type { NarrowContext } from './compiled-narrow.js';
import { conversationOf, participantOf } from './operands.js';
import type { Term } from './terms.js';

/** Above this number, conversations are not searched one by one. */
const maxConversations = 300;

/**
 * Keys of the only conversations that the terms about direct messages can match; null: the terms name no
 * people, or people with more than {@link maxConversations}.
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
    .find(filter, { limit: maxConversations + 1, projection: { participantIds: 1 } });
  if (found.length > maxConversations) return null;
  return found.filter(({ participantIds }) => !groupsOnly || participantIds.length > 2).map(({ _id }) => _id);
}

const namesPeople: ReadonlySet<Term['operator']> = new Set(['dm', 'dm-including', 'group-pm-with']);
