import { changeChannel } from './channel-events.js';
import { directPlace, placeOf, type ClientState, type Handler, type Item } from './client-state.js';

/** Events about messages and their flags. */
export const messageEvents: Readonly<Record<string, Handler>> = {
  message: (state, { message, flags }) => {
    const place = placeOfMessage(state, message as Item);
    if (message.type === 'stream') {
      const id = message.stream_id as number;
      if (!state.isSubscribed(id)) return;
      if (state.channels.get(id)?.['first_message_id'] === null) {
        changeChannel(state, id, { first_message_id: message.id as number });
      }
    } else state.conversations.add(place);
    if (!flags.includes('read')) state.unread.set(message.id as number, { place, flags: flags as string[] });
    if (flags.includes('starred')) state.starred = new Set([...state.starred, message.id as number]);
  },
  update_message: (state, event) => {
    const edited = state.unread.get(event['message_id'] as number);
    if (edited !== undefined) {
      state.unread.set(event['message_id'] as number, { ...edited, flags: event['flags'] as string[] });
    }
    const isMove = event['new_stream_id'] !== undefined || event['subject'] !== undefined;
    if (isMove) for (const id of event['message_ids'] as number[]) move(state, id, event);
  },
  delete_message: (state, { message_ids: ids, message_id: id }) => {
    const gone = new Set<number>((ids as number[] | undefined) ?? [id as number]);
    for (const one of gone) state.unread.delete(one);
    state.starred = new Set([...state.starred].filter((one) => !gone.has(one)));
  },
  update_message_flags: (state, event) => {
    if (event['flag'] === 'starred') star(state, event['op'] as string, event['messages'] as number[]);
    else if (event['flag'] === 'read' && event['op'] === 'add') read(state, event);
    else if (event['flag'] === 'read')
      for (const id of event['messages'] as number[]) unread(state, id, event);
  },
};

function placeOfMessage(state: ClientState, message: Item): string {
  if (message['type'] === 'stream')
    return placeOf(message['stream_id'] as number, message['subject'] as string);
  const ids = (message['display_recipient'] as readonly Item[]).map(({ id }) => id as number);
  return directPlace(ids.filter((id) => id !== state.userId));
}

/** Whoever is not subscribed to the channel that it comes to has it read. */
function move(state: ClientState, id: number, event: Item): void {
  const moved = state.unread.get(id);
  if (moved === undefined) return;
  const channelId = (event['new_stream_id'] ?? event['stream_id']) as number;
  const topic = (event['subject'] ?? event['orig_subject']) as string;
  if (state.isSubscribed(channelId)) state.unread.set(id, { ...moved, place: placeOf(channelId, topic) });
  else state.unread.delete(id);
}

function star(state: ClientState, op: string, ids: readonly number[]): void {
  const others = [...state.starred].filter((id) => !ids.includes(id));
  state.starred = new Set(op === 'add' ? [...others, ...ids] : others);
}

function read(state: ClientState, event: Item): void {
  if (event['all'] === true) state.unread.clear();
  for (const id of event['messages'] as number[]) state.unread.delete(id);
}

function unread(state: ClientState, id: number, event: Item): void {
  const { type, stream_id, topic, user_ids: others, mentioned } = event['message_details'][id] as Item;
  const place =
    type === 'stream' ? placeOf(stream_id as number, topic as string) : directPlace(others as number[]);
  state.unread.set(id, { place, flags: mentioned === true ? ['mentioned'] : [] });
}
