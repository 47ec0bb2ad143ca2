import { useMemo } from 'react';
import { useApi } from '../api/use-api.js';

/** Somebody or something with an id and a name. */
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

/** Everybody whom the server still knows; nobody until it is read. */
export function usePeople(): readonly Named[] {
  const { data } = useApi<{ readonly members: readonly Member[] }>('users');
  return useMemo(
    () => data?.members.map(({ user_id: id, full_name: name }) => ({ id, name })) ?? none,
    [data],
  );
}

/** Every channel that is not archived; none until they are read. */
export function useChannels(): readonly Named[] {
  const { data } = useApi<{ readonly streams: readonly Channel[] }>('streams');
  return useMemo(() => data?.streams.map(({ stream_id: id, name }) => ({ id, name })) ?? none, [data]);
}

/** “Ada Quill (5)”: what is both read and understood, also where two are called alike. */
export function namedText({ id, name }: Named): string {
  return `${name} (${id})`;
}

/** How an id of an address is shown: by its name, where that is known. */
export function shownAs(text: string, all: readonly Named[]): string {
  const found = all.find(({ id }) => String(id) === text);
  return found === undefined ? text : namedText(found);
}

/** The id that a text names, which may be an id itself or a name that is nobody else's; anything else stays as it is. */
export function idIn(text: string, all: readonly Named[]): string {
  const wanted = text.trim();
  const [, id] = /\((\d+)\)$/.exec(wanted) ?? [];
  if (id !== undefined && all.some((one) => String(one.id) === id && namedText(one) === wanted)) return id;
  const folded = wanted.replace(/^[#@]/, '').toLowerCase();
  const called = all.filter(({ name }) => name.toLowerCase() === folded);
  return called.length === 1 ? String(called[0]!.id) : wanted;
}

/** Every id that a text holds, as an address has them: `5,7`. */
export function idsIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}
