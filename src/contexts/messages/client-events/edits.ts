import { shownTopic } from '../../../events/values/message-text.js';
import { toSeconds } from '../../../kernel/clock.js';
import type { EventMetadata } from '../../../kernel/event.js';
import { alike, type ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, Receiver } from '../../../realtime/mapper.js';
import { topicFormat } from '../../../realtime/queues/queue-options.js';
import { noFlags } from '../flags/flags.state.js';
import { inChannelAfter } from '../moves/earlier-places.js';
import {
  htmlOf,
  type EditedText,
  type MessageDocument,
  type MessageEditDocument,
} from '../message-document.js';
import { flagsOf } from '../view/flags.js';
import { getsActsOn, type VisibilityContext } from './message-audience.js';

/** An edit, with the message that it changed. */
export interface Edited extends VisibilityContext {
  readonly edit: MessageEditDocument;
  readonly document: MessageDocument;
  readonly text: EditedText;
}

/** The members of `update_message` that describe the text. */
export function textMembers(
  { previousContent, previousHtml }: MessageEditDocument,
  text: EditedText,
): object {
  return {
    orig_content: previousContent,
    orig_rendered_content: previousHtml,
    content: text.content,
    rendered_content: htmlOf(text),
    is_me_message: text.isMeMessage,
  };
}

/**
 * The client event for an edit of a message that stays where it is. The message may have been moved since: it counts
 * where it lay then, because not everybody who can see it now may know the text that it had.
 */
export function editEvent(edited: Edited, { actorId, at }: EventMetadata): AddressedEvent {
  const { edit, text, snapshot, placements, flags } = edited;
  const document = inChannelAfter(edited.document, edit.movesBefore, placements);
  const channel = document.channelId === null ? null : snapshot.directory.channel(document.channelId);
  const common = {
    type: 'update_message',
    user_id: actorId,
    edit_timestamp: toSeconds(at),
    message_id: document._id,
    message_ids: [document._id],
    rendering_only: false,
    ...(channel !== null && { stream_id: channel.id, stream_name: channel.name }),
    ...textMembers(edit, text),
  };
  const eventWith = alike((ownFlags: readonly string[]) => ({ ...common, flags: ownFlags }));
  return {
    to: getsActsOn(document, actorId, edited),
    types: ['update_message'],
    event: ({ user }) => {
      const owner = { snapshot, user, placements, flags: flags.get(user.id) ?? noFlags };
      return eventWith(flagsOf(document, owner));
    },
  };
}

/** Where the messages lay when their readers last saw them. */
type LostPlace = Pick<MessageDocument, 'channelId' | 'topic'>;

/** What the events of a deletion depend on beside the messages. */
interface DeletionFormat extends ReturnType<typeof topicFormat> {
  readonly isBulk: boolean;
}

/**
 * The client events for messages that are gone, or that somebody can no longer see: one event for all of
 * them, or one for each where the client lacks the capability for that.
 */
export function deletionEvents(
  { channelId, topic }: LostPlace,
  messageIds: readonly number[],
): (receiver: Pick<Receiver, 'options'>) => readonly ClientEvent[] {
  const eventsFor = alike(({ isBulk, ...format }: DeletionFormat): readonly ClientEvent[] => {
    const place =
      channelId === null
        ? { message_type: 'private' }
        : { message_type: 'stream', stream_id: channelId, topic: shownTopic(topic ?? '', format) };
    if (isBulk) return [{ type: 'delete_message', message_ids: messageIds, ...place }];
    return messageIds.map((id) => ({ type: 'delete_message', message_id: id, ...place }));
  });
  return ({ options }) =>
    eventsFor({ ...topicFormat(options), isBulk: options.capabilities.bulk_message_deletion });
}
