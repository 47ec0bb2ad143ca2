import { hasContentAccess } from '../../directory/channel-permissions.js';
import { apiEmail } from '../../directory/email-visibility.js';
import { isSubscribed } from '../../channels/subscription.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { MessageEvent, MessageSent, ReactionAdded, ReactionRemoved } from '../../messages/events.js';
import { renderMarkdown } from '../../messages/markdown/render.js';
import { isGuest } from '../../users/roles.js';
import { translation, type Notice, type Translations } from '../translation.js';
import type { ClientModels } from '../client-models.js';
import { saysNothing } from '../queues/client-capabilities.js';
import { deletionEvents } from './deletion-events.js';
import { editNotice } from './edit-event.js';
import { firstMessageNotices } from './first-message.js';
import { isToldOf, isToldOfAct, type MessageView } from './message-audience.js';
import { messageEvent } from './message-event.js';
import { referenceNotices } from './uploads.js';
import type { MessageEditDocument } from '../../messages/message-document.js';
import type { RenderReferences } from '../../messages/markdown/references.js';
import type { CachedMessage } from '../../messages/view/cached-message.js';

type Sent = RecordedEvent<EventOf<typeof MessageSent>>;
type Reacted = RecordedEvent<EventOf<typeof ReactionAdded> | EventOf<typeof ReactionRemoved>>;

/** Uploads that a message refers to after an edit, or may have referred to before it. */
async function uploadsAround(
  edit: MessageEditDocument | null,
  { uploads = [] }: RenderReferences,
  models: ClientModels,
): Promise<readonly number[]> {
  const before = edit === null ? [] : await models.uploadsNamedIn(edit.previousContent);
  return [...new Set([...before, ...uploads])];
}

/** Messages as they are sent, edited, deleted and reacted to. */
export const messageTranslations: Translations<MessageEvent> = {
  MessageSent: translation({
    read: async ({ revision, data: { recipient, references }, metadata: { commandId } }, models) => {
      const isOurs = recipient.type === 'channel' || recipient.userIds.some((id) => models.isListening(id));
      const message = isOurs ? await models.message(revision + 1) : null;
      const uploads = await models.referredUploads(references.uploads ?? []);
      return { message, uploads, localName: models.localName(commandId) };
    },
    notices: (event, { moment, read: { message, uploads, localName } }) => {
      // Deleted meanwhile: nobody is told of it any more.
      if (message === null) return [];
      return [
        { to: receivers(event, { moment }), event: messageEvent(message, { moment, event, localName }) },
        ...referenceNotices(uploads),
      ];
    },
  }),
  MessageEdited: translation({
    read: async ({ id, data: { messageId, references } }, models) => {
      const edit = await models.edit(messageId, id);
      return {
        ...(await placed(messageId, models)),
        edit,
        uploads: await models.referredUploads(await uploadsAround(edit, references, models)),
      };
    },
    notices: ({ data, metadata }, { moment, read: { message, arrivals, edit, flags, uploads } }) => {
      if (message === null || edit === null) return [];
      // A move that was asked for together with it tells of both.
      if (data.move !== null) return referenceNotices(uploads);
      const text = { content: data.content, ...renderMarkdown(data.content, data.references) };
      const edited = { edit, document: message.document, text, moment, arrivals, flags };
      return [editNotice(edited, metadata), ...referenceNotices(uploads)];
    },
  }),
  MessageDeleted: translation({
    read: async ({ data: { messageId } }, models) => {
      const place = await models.deletion(messageId);
      const channelIds = place === null || place.channelId === null ? [] : [place.channelId];
      return { place, ...(await viewed(models)), activities: await models.activities(channelIds) };
    },
    notices: (_event, { moment, read: { place, arrivals, flags, activities } }) => {
      if (place === null) return [];
      const { _id: oldestId, channelId } = place;
      return [
        { to: isToldOf(place, { moment, arrivals, flags }), event: deletionEvents(place, [oldestId]) },
        ...(channelId === null ? [] : firstMessageNotices(channelId, { moment, activities, oldestId })),
      ];
    },
  }),
  ReactionAdded: translation({
    read: ({ data: { messageId } }, models) => placed(messageId, models),
    notices: (event, { moment, read }) => reacted(event, 'add', { moment, ...read }),
  }),
  ReactionRemoved: translation({
    read: ({ data: { messageId } }, models) => placed(messageId, models),
    notices: (event, { moment, read }) => reacted(event, 'remove', { moment, ...read }),
  }),
  SubmessageAttached: translation({
    read: ({ data: { messageId } }, models) => placed(messageId, models),
    notices: ({ data }, { moment, read: { message, ...view } }) => {
      if (message === null) return [];
      const { messageId, submessageId, userId, kind, content } = data;
      const event = {
        type: 'submessage',
        message_id: messageId,
        submessage_id: submessageId,
        sender_id: userId,
        msg_type: kind,
        content,
      };
      return [{ to: isToldOfAct(message.document, userId, { moment, ...view }), event }];
    },
  }),
};

interface PlacedMessage extends Omit<MessageView, 'moment'> {
  readonly message: CachedMessage | null;
}

async function placed(messageId: number, models: ClientModels): Promise<PlacedMessage> {
  return { message: await models.message(messageId), ...(await viewed(models)) };
}

async function viewed(models: ClientModels): Promise<Omit<MessageView, 'moment'>> {
  const [arrivals, flags] = await Promise.all([models.arrivals(), models.flagsOfListeners()]);
  return { arrivals, flags };
}

/** Subscribers, and of a public channel everyone whose clients may have asked for such as well. */
function receivers({ data: { recipient } }: Sent, { moment }: Pick<MessageView, 'moment'>): Notice['to'] {
  if (recipient.type === 'direct') return recipient.userIds;
  const channel = moment.directory.channel(recipient.channelId);
  if (channel === null) return [];
  return (user) =>
    isSubscribed(moment.directory.subscription(channel.id, user.id)) ||
    (!channel.privacy.inviteOnly && !isGuest(user) && hasContentAccess(moment, user, channel));
}

function reacted(
  { data: { messageId, userId, emoji } }: Reacted,
  op: 'add' | 'remove',
  { message, ...view }: MessageView & PlacedMessage,
): readonly Notice[] {
  if (message === null) return [];
  const event = {
    type: 'reaction',
    op,
    message_id: messageId,
    user_id: userId,
    emoji_name: emoji.name,
    emoji_code: emoji.code,
    reaction_type: emoji.type,
  };
  const older = { ...event, user: reactingUser(userId, view.moment) };
  return [
    {
      to: isToldOfAct(message.document, userId, view),
      event: ({ options }) => (saysNothing(options.capabilities) ? older : event),
    },
  ];
}

/** The oldest clients show who reacted as the event has it, and fail without. */
function reactingUser(userId: number, { directory }: MessageView['moment']): object {
  const user = directory.user(userId);
  return {
    user_id: userId,
    email: user === null ? '' : apiEmail(directory, user),
    full_name: user?.fullName ?? '',
  };
}
