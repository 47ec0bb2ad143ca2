import { hidesPeople, mayKnow } from '../../../access/acquaintances.js';
import { hasContentAccess } from '../../../access/channel-permissions.js';
import type { DirectConversations } from '../../../access/direct-conversations.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { EventOf, RecordedEvent } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { MessageEvent, MessageSent } from '../../../events/messages.js';
import { renderMarkdown } from '../../../markdown/render.js';
import { isGuest } from '../../../access/records/roles.js';
import { mapper, type AddressedEvent, type Mappers } from '../../../realtime/mapper.js';
import { deletionEvents, editEvent } from './edits.js';
import { channelChanged } from '../../channels/client-events/channels.js';
import { firstMessageEvents } from '../../channels/client-events/first-message.js';
import { getsActsOn, type VisibilityContext } from './message-audience.js';
import { messageEvent } from './message-event.js';
import { referenceEvents } from '../../uploads/client-events.js';
import type { MessageDocument, MessageEditDocument } from '../message-document.js';
import type { RenderReferences } from '../../../markdown/references.js';
import type { MessageModels } from './client-models.js';
import { messageAtEvent, visibilityContextOf, withTextFlags } from './message-at-event.js';
import type { CachedMessage } from '../view/cached-message.js';
import { reactedMessage, reactionEvents } from './reactions.js';

type Sent = RecordedEvent<EventOf<typeof MessageSent>>;

/** Ids of the uploads that a message refers to after an edit, or may have referred to before it. */
async function uploadsAround(
  edit: MessageEditDocument | null,
  { uploads = [] }: RenderReferences,
  models: MessageModels,
): Promise<readonly number[]> {
  const before = edit === null ? [] : await models.uploadsNamedIn(edit.previousContent);
  return [...new Set([...before, ...uploads])];
}

function isEditedAgain(message: CachedMessage | null, edit: MessageEditDocument | null): boolean {
  return message !== null && edit !== null && edit.number < message.document.edits;
}

/** Client events for messages that are sent, edited, deleted, reacted to or attached to. */
export const messageMappers: Mappers<MessageEvent, MessageModels> = {
  MessageSent: mapper({
    read: async (event, models, snapshot) => {
      const { revision, data, metadata } = event;
      const { recipient, references } = data;
      const isOurs = recipient.type === 'channel' || recipient.userIds.some((id) => models.hasClient(id));
      const message = isOurs ? await models.message(idAtRevision(revision)) : null;
      const { uploads: uploadIds = [] } = references;
      const uploads = await models.referredUploads(uploadIds);
      const media = await models.media(uploadIds);
      const conversations = await conversationsOfStranger(event, models, snapshot);
      const isEdited = message !== null && message.document.edits > 0;
      const alertedIds = isEdited ? await models.alertedBy(data.content) : null;
      const localName = models.localName(metadata.commandId);
      return { message, uploads, media, conversations, alertedIds, localName };
    },
    clientEvents: (event, { snapshot, read: { message, uploads, conversations, ...read } }) => {
      // The message has been deleted meanwhile: no client needs the event any more.
      if (message === null) return [];
      return [
        {
          to: receivers(event, { snapshot }),
          types: ['message'],
          event: messageEvent(message, {
            ...read,
            snapshot,
            event,
            knows: (viewer, sender) =>
              conversations === null || mayKnow(snapshot, { viewer, conversations }, sender),
          }),
        },
        ...activityEvents(message.document, snapshot),
        ...referenceEvents(uploads),
      ];
    },
  }),
  MessageEdited: mapper({
    read: async ({ id, data: { messageId, references, content } }, models) => {
      const edit = await models.edit(messageId, id);
      const message = await models.message(messageId);
      return {
        message,
        ...(await visibilityContextOf(message?.document ?? null, models)),
        edit,
        media: await models.media(references.uploads ?? []),
        uploads: await models.referredUploads(await uploadsAround(edit, references, models)),
        alertedIds: isEditedAgain(message, edit) ? await models.alertedBy(content) : null,
      };
    },
    clientEvents: (
      { data, metadata },
      { snapshot, read: { message, placements, edit, flags, media, uploads, alertedIds } },
    ) => {
      if (message === null || edit === null) return [];
      // The move that was requested together with the edit makes one client event for both.
      if (data.move !== null) return referenceEvents(uploads);
      const text = { content: data.content, ...renderMarkdown(data.content, data.references, media) };
      const document = withTextFlags(message.document, { mentions: data.mentions, alertedIds });
      const edited = { edit, document, text, snapshot, placements, flags };
      return [editEvent(edited, metadata), ...referenceEvents(uploads)];
    },
  }),
  MessageDeleted: mapper({
    read: async ({ data: { messageId } }, models) => {
      const place = await models.deletion(messageId);
      const channelIds = place === null || place.channelId === null ? [] : [place.channelId];
      return {
        place,
        ...(await visibilityContextOf(place, models)),
        activities: await models.activities(channelIds),
      };
    },
    clientEvents: ({ metadata }, { snapshot, read: { place, placements, flags, activities } }) => {
      if (place === null) return [];
      const { _id: oldestId, channelId } = place;
      return [
        {
          to: getsActsOn(place, metadata.actorId, { snapshot, placements, flags }),
          types: ['delete_message'],
          event: deletionEvents(place, [oldestId]),
        },
        ...(channelId === null ? [] : firstMessageEvents(channelId, { snapshot, activities, oldestId })),
      ];
    },
  }),
  ReactionAdded: mapper({
    read: reactedMessage,
    clientEvents: (event, { snapshot, read }) => reactionEvents(event, 'add', { snapshot, ...read }),
  }),
  ReactionRemoved: mapper({
    read: reactedMessage,
    clientEvents: (event, { snapshot, read }) => reactionEvents(event, 'remove', { snapshot, ...read }),
  }),
  SubmessageAttached: mapper({
    read: (event, models) => messageAtEvent(event, models),
    clientEvents: ({ data }, { snapshot, read: { place, ...view } }) => {
      if (place === null) return [];
      const { messageId, submessageId, userId, kind, content } = data;
      const event = {
        type: 'submessage',
        message_id: messageId,
        submessage_id: submessageId,
        sender_id: userId,
        msg_type: kind,
        content,
      };
      return [{ to: getsActsOn(place, userId, { snapshot, ...view }), event }];
    },
  }),
};

/**
 * The direct conversations that the sender of a channel message had until then. They are looked up only where
 * the message reaches somebody who may not know the sender otherwise.
 *
 * @returns null where everybody whom it reaches knows the sender
 */
async function conversationsOfStranger(
  { position, data: { recipient, senderId, givenToIds = [] } }: Sent,
  models: MessageModels,
  snapshot: VisibilityContext['snapshot'],
): Promise<DirectConversations | null> {
  if (recipient.type === 'direct' || !hidesPeople(snapshot)) return null;
  const { directory } = snapshot;
  const isThere = isSubscribed(directory.subscription(recipient.channelId, senderId));
  const areAllThere = givenToIds.length === 0;
  if ((isThere && areAllThere) || directory.user(senderId)?.bot !== null) return null;
  return (await models.directConversations([senderId])).asOf(position);
}

/** Clients may hide inactive channels. */
function activityEvents(
  { channelId, endsInactivity }: MessageDocument,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  if (channelId === null || !endsInactivity) return [];
  return channelChanged(channelId, snapshot, { property: 'is_recently_active', value: true });
}

/**
 * The subscribers; of a public channel also everyone whose client may have registered for all public
 * channels.
 */
function receivers(
  { data: { recipient, givenToIds = [] } }: Sent,
  { snapshot }: Pick<VisibilityContext, 'snapshot'>,
): AddressedEvent['to'] {
  if (recipient.type === 'direct') return recipient.userIds;
  const channel = snapshot.directory.channel(recipient.channelId);
  if (channel === null) return [];
  return (user) =>
    isSubscribed(snapshot.directory.subscription(channel.id, user.id)) ||
    givenToIds.includes(user.id) ||
    (!channel.privacy.inviteOnly && !isGuest(user) && hasContentAccess(snapshot, user, channel));
}
