import { placeOf, type ClientState, type Handler, type Item } from './client-state.js';

/** Events about channels, subscriptions and topics. */
export const channelEvents: Readonly<Record<string, Handler>> = {
  stream: (state, event) => {
    if (event['op'] === 'create')
      for (const channel of event['streams'] as Item[]) addChannel(state, channel);
    else if (event['op'] === 'delete')
      for (const id of event['stream_ids'] as number[]) removeChannel(state, id);
    else {
      const {
        property,
        value,
        name: _name,
        id: _id,
        type: _type,
        op: _op,
        stream_id: channelId,
        ...more
      } = event;
      changeChannel(state, channelId as number, { ...more, [property as string]: value });
    }
  },
  subscription: (state, event) => {
    const { op } = event;
    if (op === 'add') for (const one of event['subscriptions'] as Item[]) subscribe(state, one);
    else if (op === 'remove')
      for (const one of event['subscriptions'] as Item[]) unsubscribe(state, one['stream_id']);
    else if (op === 'update') {
      const channel = state.channels.get(event['stream_id'] as number);
      if (channel !== undefined) channel[event['property'] as string] = event['value'];
    } else for (const id of event['stream_ids'] as number[]) changePeers(state, id, event);
  },
  channel_folder: (state, event) => {
    const folders = state.lists.channel_folders;
    if (event['op'] === 'add')
      folders.set(event['channel_folder'].id as number, event['channel_folder'] as Item);
    else if (event['op'] === 'update')
      Object.assign(folders.get(event['channel_folder_id'] as number)!, event['data']);
    else
      for (const [order, id] of event['order'].entries())
        Object.assign(folders.get(id as number)!, { order });
  },
  user_topic: (state, { id: _id, type: _type, ...topic }) => {
    const place = placeOf(topic['stream_id'] as number, topic['topic_name'] as string);
    if (topic['visibility_policy'] === 0) state.topics.delete(place);
    else state.topics.set(place, topic);
  },
};

/** Changes a channel in both lists that have it. */
export function changeChannel(state: ClientState, id: number, fields: Item): void {
  for (const channel of [state.channels.get(id), state.lists.streams.get(id)]) {
    if (channel !== undefined) Object.assign(channel, fields);
  }
}

function addChannel(state: ClientState, channel: Item): void {
  const id = channel['stream_id'] as number;
  state.lists.streams.set(id, { ...channel });
  if (!state.channels.has(id)) {
    state.channels.set(id, { ...channel, subscribers: [], relation: 'never_subscribed' });
  }
}

function removeChannel(state: ClientState, id: number): void {
  state.lists.streams.delete(id);
  state.channels.delete(id);
  forgetUnread(state, id);
}

function subscribe(state: ClientState, subscription: Item): void {
  const id = subscription['stream_id'] as number;
  state.channels.set(id, { ...subscription, relation: 'subscriptions' });
  const { subscriber_count, first_message_id } = subscription;
  changeChannel(state, id, { subscriber_count, first_message_id });
}

function unsubscribe(state: ClientState, id: number): void {
  forgetUnread(state, id);
  const channel = state.channels.get(id);
  if (channel === undefined) return;
  channel['relation'] = 'unsubscribed';
  changePeers(state, id, { op: 'peer_remove', user_ids: [state.userId] });
}

function changePeers(state: ClientState, channelId: number, event: Item): void {
  const channel = state.channels.get(channelId);
  const ids = event['user_ids'] as readonly number[];
  if (channel === undefined) return;
  const before = channel['subscribers'] as readonly number[];
  const others = before.filter((id) => !ids.includes(id));
  const after = event['op'] === 'peer_add' ? [...others, ...ids] : others;
  const subscriber_count = (channel['subscriber_count'] as number) + after.length - before.length;
  channel['subscribers'] = after;
  changeChannel(state, channelId, { subscriber_count });
}

function forgetUnread(state: ClientState, channelId: number): void {
  for (const [id, { place }] of state.unread) if (place.startsWith(`${channelId} `)) state.unread.delete(id);
}
