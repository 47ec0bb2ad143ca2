import type { UploadImageExamined } from '../../../events/uploads.js';
import { budgets } from '../../../kernel/budgets.js';
import { toSeconds } from '../../../kernel/clock.js';
import type { EventOf, RecordedEvent } from '../../../kernel/event.js';
import { alike } from '../../../realtime/client-event.js';
import { mapper, type AddressedEvent, type Mappers } from '../../../realtime/mapper.js';
import { noFlags } from '../flags/flags.state.js';
import { htmlOf } from '../message-document.js';
import type { MessageModels } from './client-models.js';
import type { CachedMessage } from '../view/cached-message.js';
import { flagsOf } from '../view/flags.js';
import { getsChangesOf, type VisibilityContext } from './message-audience.js';

type Examined = EventOf<typeof UploadImageExamined>;

/** Messages that show an image, once the image has been examined. */
export const mediaMappers: Mappers<Examined, MessageModels> = {
  UploadImageExamined: mapper({
    read: async ({ data: { uploadId } }, models) => {
      const [messages, placements, flags] = await Promise.all([
        models.messagesWith(uploadId, budgets.messagesRenderedAgain.max),
        models.placements(),
        models.flagsOfListeners('everyone'),
      ]);
      return { messages, placements, flags };
    },
    clientEvents: (event, { snapshot, read: { messages, ...view } }) =>
      messages
        // A message sent after the examination has shown the image from the beginning.
        .filter(({ document }) => document.changes > 1)
        .map((message) => renderedAgain(message, event, { snapshot, ...view })),
  }),
};

/** The client event for a message that was rendered again without an edit. */
function renderedAgain(
  { document }: CachedMessage,
  { metadata }: RecordedEvent<Examined>,
  view: VisibilityContext,
): AddressedEvent {
  const { snapshot, placements, flags } = view;
  const channel = document.channelId === null ? null : snapshot.directory.channel(document.channelId);
  const common = {
    type: 'update_message',
    user_id: null,
    edit_timestamp: toSeconds(metadata.at),
    message_id: document._id,
    message_ids: [document._id],
    rendering_only: true,
    ...(channel !== null && { stream_id: channel.id, stream_name: channel.name }),
    content: document.content,
    rendered_content: htmlOf(document),
    is_me_message: document.isMeMessage,
  };
  const eventWith = alike((ownFlags: readonly string[]) => ({ ...common, flags: ownFlags }));
  return {
    to: getsChangesOf(document, view),
    types: ['update_message'],
    event: ({ user }) => {
      const owner = { snapshot, user, placements, flags: flags.get(user.id) ?? noFlags };
      return eventWith(flagsOf(document, owner));
    },
  };
}
