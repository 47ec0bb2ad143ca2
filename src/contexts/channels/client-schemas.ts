import { z } from 'zod';
import { groupSetting, html, id, ids } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import {
  channelGroupSchema,
  channelSchema,
  folderSchema,
  neverSubscribedSchema,
  subscriptionSchema,
} from './channels.replies.js';

const peers = { stream_ids: ids, user_ids: ids };

/** Schemas of the client events about channels and subscriptions. */
export const channelEventSchemas = [
  clientEvent('stream', 'create', { streams: z.array(channelSchema) }),
  clientEvent('stream', 'update', {
    stream_id: id,
    name: z.string().describe('The name of the channel before the change'),
    property: z.string(),
    value: z.union([z.string(), z.boolean(), groupSetting]).nullable(),
    rendered_description: html.optional(),
    history_public_to_subscribers: z.boolean().optional(),
    is_web_public: z.boolean().optional(),
  }),
  clientEvent('stream', 'delete', { stream_ids: ids, streams: z.array(z.strictObject({ stream_id: id })) }),
  clientEvent('subscription', 'add', { subscriptions: z.array(subscriptionSchema) }),
  clientEvent('subscription', 'remove', {
    subscriptions: z.array(z.strictObject({ name: z.string(), stream_id: id })),
  }),
  clientEvent('subscription', 'update', {
    stream_id: id,
    property: z.string(),
    value: z.union([z.boolean(), z.string()]),
  }),
  clientEvent('subscription', 'peer_add', peers),
  clientEvent('subscription', 'peer_remove', peers),
  clientEvent('default_streams', null, { default_streams: ids }),
  clientEvent('channel_folder', 'add', { channel_folder: folderSchema }),
  clientEvent('channel_folder', 'update', {
    channel_folder_id: id,
    data: z.strictObject({
      name: z.string().optional(),
      description: z.string().optional(),
      rendered_description: html.optional(),
      is_archived: z.boolean().optional(),
    }),
  }),
  clientEvent('channel_folder', 'reorder', {
    order: ids.describe('The ids of all folders, in their new order'),
  }),
];

/** Schemas of the initial state that concerns channels. */
export const channelStateFields = {
  subscriptions: z.array(subscriptionSchema).optional(),
  unsubscribed: z.array(subscriptionSchema).optional(),
  never_subscribed: z.array(neverSubscribedSchema).optional(),
  streams: z.array(channelSchema).optional(),
  channel_folders: z.array(folderSchema).optional(),
  realm_default_streams: ids.optional(),
  realm_default_stream_groups: z.array(channelGroupSchema).optional(),
} as const;
