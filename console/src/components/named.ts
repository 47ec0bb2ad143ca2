import { useMemo } from 'react';
import { useApi } from '../api/use-api.js';

/** A person or a channel. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

interface Member {
  readonly user_id: number;
  readonly full_name: string;
}

/** A channel, as in `GET audit/channels`. */
export interface AuditedChannel {
  readonly channel_id: number;
  readonly name: string;
  readonly is_private: boolean;
  readonly is_archived: boolean;
}

const none: readonly Named[] = [];

/** All people known to the server; empty until they are loaded. */
export function usePeople(): readonly Named[] {
  const { data } = useApi<{ readonly members: readonly Member[] }>('users');
  return useMemo(
    () => data?.members.map(({ user_id: id, full_name: name }) => ({ id, name })) ?? none,
    [data],
  );
}

/** The path of {@link AuditedChannels}. */
export const CHANNELS = 'audit/channels';

export interface AuditedChannels {
  readonly channels: readonly AuditedChannel[];
}

/** All channels, also those that the auditor is not in; empty until they are loaded. */
export function useChannels(): readonly Named[] {
  const { data } = useApi<AuditedChannels>(CHANNELS);
  return useMemo(() => data?.channels.map(({ channel_id: id, name }) => ({ id, name })) ?? none, [data]);
}

/** “Ada Quill (5)”: readable, and unambiguous when two have the same name. */
export function namedText({ id, name }: Named): string {
  return `${name} (${id})`;
}

/** The name for an id in the address, if it is known. */
export function shownAs(text: string, all: readonly Named[]): string {
  const found = all.find(({ id }) => String(id) === text);
  return found === undefined ? text : namedText(found);
}

/** The id for a text, which may be an id or an unambiguous name; any other text is not changed. */
export function idIn(text: string, all: readonly Named[]): string {
  const wanted = text.trim();
  const [, id] = /\((\d+)\)$/.exec(wanted) ?? [];
  if (id !== undefined && all.some((one) => String(one.id) === id && namedText(one) === wanted)) return id;
  const folded = wanted.replace(/^[#@]/, '').toLowerCase();
  const called = all.filter(({ name }) => name.toLowerCase() === folded);
  return called.length === 1 ? String(called[0]!.id) : wanted;
}

/** The ids in a text of the address: `5,7`. */
export function idsIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** The name by which people and the server know the topic without a name. */
const EMPTY_TOPIC = 'general chat';

/** The name of a topic as people read and write it. */
export function topicText(topic: string): string {
  return topic === '' ? EMPTY_TOPIC : topic;
}
