import { toSeconds } from '../../../kernel/clock.js';
import type { EventMetadata } from '../../../kernel/event.js';
import { noFlags } from '../flags/flags.state.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import { flagsOf } from '../view/flags.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import { getsChangesOf, type MessageView } from './message-audience.js';

/** The text of a message after an edit. */
export type EditedText = Pick<MessageDocument, 'content' | 'html' | 'isMeMessage'>;

/** An edit, with the message that it changed. */
export interface Edited extends MessageView {
  readonly edit: MessageEditDocument;
  readonly document: MessageDocument;
  readonly text: EditedText;
}

/** The members of `update_message` that describe the text. */
export function textMembers(
  { previousContent, previousHtml }: MessageEditDocument,
  { content, html, isMeMessage }: EditedText,
): object {
  return {
    orig_content: previousContent,
    orig_rendered_content: previousHtml,
    content,
    rendered_content: html,
    is_me_message: isMeMessage,
  };
}

/** The client event for an edit of a message that stays where it is. */
export function editEvent(edited: Edited, { actorId, at }: EventMetadata): AddressedEvent {
  const { edit, document, text, snapshot, arrivals, flags } = edited;
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
  return {
    to: getsChangesOf(document, edited),
    event: ({ user }) => {
      const owner = { snapshot, user, arrivals, flags: flags.get(user.id) ?? noFlags };
      return { ...common, flags: flagsOf(document, owner) };
    },
  };
}
