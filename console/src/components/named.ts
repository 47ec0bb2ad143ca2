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

interface Channel {
  readonly stream_id: number;
  readonly name: string;
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

/** All channels that are not archived; empty until they are loaded. */
export function useChannels(): readonly Named[] {
  const { data } = useApi<{ readonly streams: readonly Channel[] }>('streams');
  return useMemo(() => data?.streams.map(({ stream_id: id, name }) => ({ id, name })) ?? none, [data]);
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
