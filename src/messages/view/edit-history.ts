import type { ModelStore } from '../../read-store/port.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import type { MoveDocument } from '../move-documents.js';

/** One change of a message: of its text, of its place, or of both by one request. */
export interface HistoryEntry {
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly edit: MessageEditDocument | null;
  readonly move: MoveDocument | null;
}

/** What became of each of these messages, oldest first. */
export type HistoryByMessage = ReadonlyMap<number, readonly HistoryEntry[]>;

/** Reads the edits and moves of all these messages at once: a move stands once, however many messages it moved. */
export async function readHistories(
  model: ModelStore,
  messages: readonly MessageDocument[],
  { movesOnly }: { readonly movesOnly: boolean },
): Promise<HistoryByMessage> {
  const [edits, moves] = await Promise.all([
    movesOnly ? new Map<number, MessageEditDocument[]>() : readEdits(model, messages),
    readMoves(model, messages),
  ]);
  const changed = messages.filter((message) => message.moves.length > 0 || edits.has(message._id));
  return new Map(
    changed.map((message) => [
      message._id,
      entriesOf(
        edits.get(message._id) ?? [],
        message.moves.flatMap((id) => moves.get(id) ?? []),
      ),
    ]),
  );
}

async function readEdits(
  model: ModelStore,
  messages: readonly MessageDocument[],
): Promise<ReadonlyMap<number, MessageEditDocument[]>> {
  const edited = messages.filter(({ edits }) => edits > 0);
  if (edited.length === 0) return new Map();
  const documents = await model
    .collection<MessageEditDocument>('message_edits')
    .find({ messageId: { $in: edited.map(({ _id }) => _id) } }, { sort: { messageId: 1, number: 1 } });
  const byMessage = new Map(edited.map(({ _id }): [number, MessageEditDocument[]] => [_id, []]));
  for (const edit of documents) byMessage.get(edit.messageId)?.push(edit);
  return byMessage;
}

async function readMoves(
  model: ModelStore,
  messages: readonly MessageDocument[],
): Promise<ReadonlyMap<string, MoveDocument>> {
  const moved = messages.filter(({ moves }) => moves.length > 0);
  if (moved.length === 0) return new Map();
  const ids = [...new Set(moved.flatMap(({ moves }) => moves))];
  const documents = await model.collection<MoveDocument>('moves').find({ _id: { $in: ids } });
  return new Map(documents.map((document) => [document._id, document]));
}

/** Merges both in the order in which they happened. */
function entriesOf(
  edits: readonly MessageEditDocument[],
  moves: readonly MoveDocument[],
): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let next = 0;
  const takeMoves = (until: number): void => {
    for (const move of moves.slice(next, until)) entries.push({ ...whoAndWhen(move), edit: null, move });
    next = Math.max(next, until);
  };
  for (const edit of edits) {
    takeMoves(edit.movesBefore);
    const together = moves[next]?.editId === edit.eventId ? moves[next] : undefined;
    if (together !== undefined) next += 1;
    entries.push({ ...whoAndWhen(edit), edit, move: together ?? null });
  }
  takeMoves(moves.length);
  return entries;
}

function whoAndWhen({
  userId,
  timestamp,
}: Pick<HistoryEntry, 'userId' | 'timestamp'>): Pick<HistoryEntry, 'userId' | 'timestamp'> {
  return { userId, timestamp };
}

/** How topics are shown: the empty one as it is, or by its display name. */
export type ShowTopic = (topic: string) => string;

/** The member `edit_history` of a message, newest first (specification, "Message"). */
export function editHistoryMember(entries: readonly HistoryEntry[], show: ShowTopic): readonly object[] {
  return entries.toReversed().map(({ userId, timestamp, edit, move }) => ({
    user_id: userId,
    timestamp,
    ...(edit !== null && { prev_content: edit.previousContent, prev_rendered_content: edit.previousHtml }),
    ...(move !== null && placeChange(move, show)),
  }));
}

/** What a move changed, as the API says it: of topic and channel only what is not as it was. */
export interface PlaceChange {
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** Puts a move into the words of the API. */
export function placeChange(
  { topic, newTopic, channelId, newChannelId }: MoveDocument,
  show: ShowTopic,
): PlaceChange {
  return {
    ...(topic !== newTopic && { prev_topic: show(topic), topic: show(newTopic) }),
    ...(channelId !== newChannelId && { prev_stream: channelId, stream: newChannelId }),
  };
}
