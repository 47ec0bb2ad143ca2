import { budgets } from '../../../kernel/budgets.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import type { MoveDocument } from '../moves/move-documents.js';

/** One change of a message: of its text, of its place, or of both by one request. */
export interface HistoryEntry {
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly edit: MessageEditDocument | null;
  readonly move: MoveDocument | null;
}

/** The changes of a message, oldest first. */
export interface MessageHistory {
  readonly entries: readonly HistoryEntry[];
  /** False: only the newest changes are here. */
  readonly isWhole: boolean;
}

export const noHistory: MessageHistory = { entries: [], isWhole: true };

/** The histories of these messages; messages that were never changed are left out. */
export type HistoryByMessage = ReadonlyMap<number, MessageHistory>;

/** How much of the histories is read. */
interface HistoryScope {
  readonly movesOnly: boolean;
  /** Maximum length of the texts of one message's history, in UTF-16 units. */
  readonly bytes: number;
}

/**
 * Reads the newest edits and moves of all these messages; each move is read once, however many of the
 * messages it moved.
 */
export async function readHistories(
  model: ModelStore,
  messages: readonly MessageDocument[],
  scope: HistoryScope,
): Promise<HistoryByMessage> {
  const [edits, moves] = await Promise.all([
    scope.movesOnly ? new Map<number, MessageEditDocument[]>() : readEdits(model, messages, scope),
    readMoves(model, messages),
  ]);
  const changed = messages.filter(({ _id, moves: ids }) => ids.length > 0 || edits.has(_id));
  return new Map(
    changed.map((message) => {
      const { _id, edits: edited, moves: ids } = message;
      const kept = edits.get(_id) ?? [];
      const newest = newestMoves(message).flatMap((id) => moves.get(id) ?? []);
      const cut = { edits: !scope.movesOnly && kept.length < edited, moves: ids.length - newest.length };
      return [_id, historyOf(kept, newest, cut)];
    }),
  );
}

/** How many edits are read at once: each may hold hundreds of kilobytes. */
const EDITS_AT_ONCE = 50;

async function readEdits(
  model: ModelStore,
  messages: readonly MessageDocument[],
  { bytes }: HistoryScope,
): Promise<ReadonlyMap<number, MessageEditDocument[]>> {
  const collection = model.collection<MessageEditDocument>('message_edits');
  const read = new Map<number, MessageEditDocument[]>();
  for (const group of groupsOf(messages.filter(({ edits }) => edits > 0))) {
    const room = new Map(group.map(({ _id }) => [_id, { bytes, entries: budgets.historyEntries.max }]));
    const [{ edits: last }] = group;
    // A single message may have more edits than are read at once.
    for (let to = last; to > 0 && room.size > 0; to = group.length > 1 ? 0 : to - EDITS_AT_ONCE) {
      const number = group.length > 1 ? {} : { number: { $gt: to - EDITS_AT_ONCE, $lte: to } };
      const filter = { messageId: { $in: [...room.keys()] }, ...number };
      for (const edit of await collection.find(filter, { sort: { messageId: 1, number: -1 } })) {
        const left = room.get(edit.messageId);
        if (left === undefined) continue;
        left.bytes -= edit.previousContent.length + edit.previousHtml.length;
        left.entries -= 1;
        if (left.bytes < 0 || left.entries < 0) room.delete(edit.messageId);
        else read.set(edit.messageId, [edit, ...(read.get(edit.messageId) ?? [])]);
      }
    }
  }
  return read;
}

type Group = readonly [MessageDocument, ...MessageDocument[]];

/**
 * Groups of messages whose edits are read together; a message with more than {@link EDITS_AT_ONCE} is a group
 * of its own.
 */
function groupsOf(messages: readonly MessageDocument[]): readonly Group[] {
  const groups: [MessageDocument, ...MessageDocument[]][] = [];
  let count = 0;
  for (const message of messages) {
    count += message.edits;
    const group = groups.at(-1);
    if (group !== undefined && count <= EDITS_AT_ONCE) group.push(message);
    else {
      groups.push([message]);
      count = message.edits;
    }
  }
  return groups;
}

function newestMoves({ moves }: MessageDocument): readonly string[] {
  return moves.slice(-budgets.historyEntries.max);
}

async function readMoves(
  model: ModelStore,
  messages: readonly MessageDocument[],
): Promise<ReadonlyMap<string, MoveDocument>> {
  const ids = [...new Set(messages.flatMap(newestMoves))];
  if (ids.length === 0) return new Map();
  const documents = await model.collection<MoveDocument>('moves').find({ _id: { $in: ids } });
  return new Map(documents.map((document) => [document._id, document]));
}

/** What is missing at the beginning of a history. */
interface Cut {
  readonly edits: boolean;
  /** How many moves are missing. */
  readonly moves: number;
}

/** Merges edits and moves in the order in which they happened, from the point at which both are known. */
function historyOf(
  edits: readonly MessageEditDocument[],
  moves: readonly MoveDocument[],
  cut: Cut,
): MessageHistory {
  const entries: HistoryEntry[] = [];
  // Moves before the first known edit may have come before an edit that is not known.
  let next = cut.edits ? Math.max(0, (edits[0]?.movesBefore ?? Infinity) - cut.moves) : 0;
  const takeMoves = (until: number): void => {
    for (const move of moves.slice(next, until)) entries.push({ ...whoAndWhen(move), edit: null, move });
    next = Math.max(next, until);
  };
  for (const edit of edits.filter(({ movesBefore }) => movesBefore >= cut.moves)) {
    takeMoves(edit.movesBefore - cut.moves);
    const together = moves[next]?.editId === edit.eventId ? moves[next] : undefined;
    if (together !== undefined) next += 1;
    entries.push({ ...whoAndWhen(edit), edit, move: together ?? null });
  }
  takeMoves(moves.length);
  const { max } = budgets.historyEntries;
  return { entries: entries.slice(-max), isWhole: !cut.edits && cut.moves === 0 && entries.length <= max };
}

function whoAndWhen({
  userId,
  timestamp,
}: Pick<HistoryEntry, 'userId' | 'timestamp'>): Pick<HistoryEntry, 'userId' | 'timestamp'> {
  return { userId, timestamp };
}

/** How topics are shown: the empty one as empty text, or by its display name. */
export type ShowTopic = (topic: string) => string;

/** The member `edit_history` of a message, newest first. */
export function editHistoryMember(entries: readonly HistoryEntry[], show: ShowTopic): readonly object[] {
  return entries.toReversed().map(({ userId, timestamp, edit, move }) => ({
    user_id: userId,
    timestamp,
    ...(edit !== null && { prev_content: edit.previousContent, prev_rendered_content: edit.previousHtml }),
    ...(move !== null && placeChange(move, show)),
  }));
}

/** What a move changed, as the API says it: an unchanged topic or channel is left out. */
interface PlaceChange {
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** Formats a move for the API. */
export function placeChange(
  { topic, newTopic, channelId, newChannelId }: MoveDocument,
  show: ShowTopic,
): PlaceChange {
  return {
    ...(topic !== newTopic && { prev_topic: show(topic), topic: show(newTopic) }),
    ...(channelId !== newChannelId && { prev_stream: channelId, stream: newChannelId }),
  };
}
