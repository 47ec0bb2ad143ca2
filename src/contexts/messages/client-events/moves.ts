import { toSeconds } from '../../../kernel/clock.js';
import { noFlags } from '../flags/flags.state.js';
import { findTopicLinks } from '../../../markdown/linkify.js';
import type { MessagePlace } from '../access.js';
import type { MovedMessage, MovedMessages } from '../moves/moved-messages.js';
import type { MoveEvent } from '../../../events/message-moves.js';
import type { MoveDocument } from '../moves/move-documents.js';
import { shownTopic } from '../../../events/values/message-text.js';
import { flagsOf } from '../view/flags.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { alike, type ClientEvent } from '../../../realtime/client-event.js';
import { topicFormat } from '../../../realtime/queues/queue-options.js';
import { mapper, type AddressedEvent, type Receiver, type Mappers } from '../../../realtime/mapper.js';
import type { Activities } from '../../channels/client-events/channel-access.js';
import { deletionEvents, type Edited, editEvent, textMembers } from './edits.js';
import { firstMessageEvents } from '../../channels/client-events/first-message.js';
import { type VisibilityContext } from './message-audience.js';
import type { MessageModels } from './client-models.js';
import { visibilityOf, type MoveView, type Visibility } from './move-visibility.js';

interface Reads extends Pick<VisibilityContext, 'placements' | 'flags'> {
  readonly moved: MovedMessages | null;
  /**
   * The edit that was requested together with the move, with the text that it made, and the message as it is now;
   * null where the text was not edited.
   */
  readonly edited: Pick<Edited, 'edit' | 'document' | 'text'> | null;
  /** Activity of the channels between which messages moved. */
  readonly activities: Activities;
}

const moving = mapper<RecordedEvent<MoveEvent>, MessageModels, undefined, Reads>({
  read: readMove,
  readsMany: true,
  clientEvents: moved,
});

/**
 * Messages that get another topic or channel. People who can no longer see them get the client event of a
 * deletion.
 */
export const moveMappers: Mappers<MoveEvent, MessageModels> = {
  MessagesMoved: moving,
  TopicResolved: moving,
  TopicUnresolved: moving,
};

async function readMove(event: RecordedEvent<MoveEvent>, models: MessageModels): Promise<Reads> {
  const outcome = await models.move(`${event.data.selection.channelId}:${event.revision}`);
  return {
    moved: outcome,
    edited: await readEdit(event, models),
    activities: await models.activities(outcome === null ? [] : channelsBetween(outcome.move)),
    placements: await models.placements(),
    flags: await models.flagsOfListeners('everyone'),
  };
}

async function readEdit(
  { data: { messageId }, metadata: { causationId } }: RecordedEvent<MoveEvent>,
  models: MessageModels,
): Promise<Reads['edited']> {
  if (causationId === null) return null;
  const [edit, message] = await Promise.all([models.edit(messageId, causationId), models.message(messageId)]);
  if (edit === null || message === null) return null;
  const text = await models.textAfter(edit);
  return text && { edit, text, document: message.document };
}

/** Empty where the messages stayed in their channel. */
function channelsBetween({ channelId, newChannelId }: MoveDocument): readonly number[] {
  return channelId === newChannelId ? [] : [channelId, newChannelId];
}

function moved(
  event: RecordedEvent<MoveEvent>,
  { snapshot, read }: { readonly snapshot: VisibilityContext['snapshot']; readonly read: Reads },
): readonly AddressedEvent[] {
  const { moved: outcome, edited, activities, placements, flags } = read;
  const view = { snapshot, placements, flags };
  const edits = isEditAlone(outcome, edited) ? [editEvent({ ...edited, ...view }, event.metadata)] : [];
  if (outcome === null) return edits;
  const { move, messages } = outcome;
  const firstMessages = channelsBetween(move).flatMap((id) =>
    firstMessageEvents(id, { snapshot, activities, oldestId: move.moved.firstMessageId }),
  );
  const moveView = { ...view, actorId: event.metadata.actorId };
  const others = [...deletedEvents(outcome, moveView), ...firstMessages];
  if (messages.length === 0) return [...edits, ...others];
  return [...edits, updateForEach(event, outcome, { edited, view: moveView }), ...others];
}

/** Each person is told of the messages that they still have, and has lost the others. */
function updateForEach(
  event: RecordedEvent<MoveEvent>,
  outcome: MovedMessages,
  { edited, view }: { readonly edited: Reads['edited']; readonly view: MoveView },
): AddressedEvent {
  const { move, messages } = outcome;
  const { snapshot, placements, flags } = view;
  const visibility = visibilityOf(outcome, view);
  const channelName = snapshot.directory.channel(move.channelId)?.name ?? '';
  const topicLinks = findTopicLinks(move.newTopic, snapshot.directory.linkifiers.linkifiers);
  const update = (own: OwnUpdate): ClientEvent =>
    updateEvent(event, { move, channelName, topicLinks, edited, messages, ...own });
  const updateOfAll = alike(update);
  const deletionOfAll = deletionEvents(
    move,
    messages.map(({ _id }) => _id),
  );
  return {
    to: 'everyone',
    types: ['update_message', 'delete_message'],
    event: (receiver) => {
      const { user, before, after } = visibility(receiver.user);
      const lost = (): readonly ClientEvent[] => lostEvents({ before, after }, receiver, move);
      if (after.length === 0) return before.length === messages.length ? deletionOfAll(receiver) : lost();
      const owner = { snapshot, user, placements, flags: flags.get(user.id) ?? noFlags };
      const own = {
        format: topicFormat(receiver.options),
        flags: flagsOf(requestedMessage(event, after), owner),
      };
      if (after.length === messages.length) return updateOfAll(own);
      return [update({ ...own, messages: after }), ...lost()];
    },
  };
}

/**
 * Messages that were deleted since the move. The client events of the deletions tell those who still had them then; those who lost them by
 * the move are told here.
 */
function deletedEvents({ move, deleted }: MovedMessages, view: MoveView): readonly AddressedEvent[] {
  if (deleted.length === 0) return [];
  const visibility = visibilityOf({ move, messages: deleted }, view);
  return [
    {
      to: 'everyone',
      types: ['delete_message'],
      event: (receiver) => lostEvents(visibility(receiver.user), receiver, move),
    },
  ];
}

/**
 * Whether an edit is an event of its own: the move that was requested together with it did not take its message along,
 * because another move came first.
 */
function isEditAlone(
  outcome: Reads['moved'],
  edited: Reads['edited'],
): edited is NonNullable<Reads['edited']> {
  if (edited === null) return false;
  return outcome?.messages.some(({ _id }) => _id === edited.document._id) !== true;
}

function lostEvents(
  { before, after }: Omit<Visibility<MessagePlace>, 'user'>,
  receiver: Receiver,
  { channelId, topic }: MoveDocument,
): readonly ClientEvent[] {
  const kept = new Set(after);
  const lost = before.filter((message) => !kept.has(message)).map(({ _id }) => _id);
  return lost.length === 0 ? [] : deletionEvents({ channelId, topic }, lost)(receiver);
}

/** The message that the request named, if the receiver can see it. */
function requestedMessage(
  { data }: RecordedEvent<MoveEvent>,
  messages: readonly MovedMessage[],
): MovedMessage {
  return messages.find(({ _id }) => _id === data.messageId) ?? messages[0]!;
}

/** What the events of receivers who see all moved messages differ in. */
interface OwnUpdate {
  readonly format: ReturnType<typeof topicFormat>;
  readonly flags: readonly string[];
  /** Absent: all moved messages. */
  readonly messages?: readonly MovedMessage[];
}

interface UpdateOptions extends Required<OwnUpdate> {
  readonly move: MoveDocument;
  readonly channelName: string;
  readonly topicLinks: readonly object[];
  readonly edited: Reads['edited'];
}

function updateEvent(
  event: RecordedEvent<MoveEvent>,
  { move, messages, channelName, topicLinks, edited, format, flags }: UpdateOptions,
): ClientEvent {
  const show = (topic: string): string => shownTopic(topic, format);
  const { _id: messageId } = requestedMessage(event, messages);
  return {
    type: 'update_message',
    user_id: event.metadata.actorId,
    edit_timestamp: toSeconds(event.metadata.at),
    message_id: messageId,
    message_ids: messages.map(({ _id }) => _id),
    flags,
    rendering_only: false,
    stream_id: move.channelId,
    stream_name: channelName,
    ...(edited?.document._id === messageId && textMembers(edited.edit, edited.text)),
    propagate_mode: event.data.mode,
    orig_subject: show(move.topic),
    ...(move.newTopic !== move.topic && { subject: show(move.newTopic), topic_links: topicLinks }),
    ...(move.newChannelId !== move.channelId && { new_stream_id: move.newChannelId }),
  };
}
