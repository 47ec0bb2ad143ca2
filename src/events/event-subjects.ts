import type { DomainEvent } from '../kernel/event.js';
import { isObject } from '../kernel/json.js';
import { meaningOf } from './number-meanings.js';

/** A topic as events name it. */
export interface NamedTopic {
  readonly channelId: number;
  readonly topic: string;
}

/** A range of message ids, both ends included. */
interface NamedRange {
  readonly from: number;
  readonly through: number;
}

/** The people, channels, messages and topics that the data of an event names. Ids may be repeated. */
export interface EventSubjects {
  readonly people: readonly number[];
  readonly channels: readonly number[];
  readonly messages: readonly number[];
  readonly ranges: readonly NamedRange[];
  readonly topics: readonly NamedTopic[];
}

type CollectedSubjects = { readonly [Kind in keyof EventSubjects]: EventSubjects[Kind][number][] };

interface Collecting {
  /** Type of the event. */
  readonly type: string;
  readonly found: CollectedSubjects;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The people, channels, messages and topics that an event is about. Pure.
 *
 * @param erasable names of the fields of its data that can be erased: these are skipped
 */
export function subjectsOf({ type, data }: DomainEvent, erasable: readonly string[] = []): EventSubjects {
  const found: CollectedSubjects = { people: [], channels: [], messages: [], ranges: [], topics: [] };
  if (isObject(data)) collectFrom(withoutErasable(data, erasable), { type, found });
  return found;
}

function withoutErasable(data: Fields, erasable: readonly string[]): Fields {
  if (!erasable.some((name) => name in data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !erasable.includes(name)));
}

function collectFrom(data: Fields, collecting: Collecting): void {
  collectTopics(data, collecting.found);
  for (const name of Object.keys(data)) {
    const value = data[name];
    if (typeof value === 'number' || (typeof value === 'object' && value !== null))
      collectField(name, value, collecting);
  }
}

function collectField(name: string, value: unknown, collecting: Collecting): void {
  const { people, channels, messages, ranges } = collecting.found;
  const meaning = meaningOf(collecting.type, name);
  switch (meaning) {
    case 'person':
      return collectIds(value, people);
    case 'channel':
      return collectIds(value, channels);
    case 'message':
      return collectIds(value, messages);
    case 'ranges':
      return collectRanges(value, ranges);
    case 'other':
      // The value of a permission may be an object that names people.
      if (isObject(value) && 'direct_members' in value) collectFrom(value, collecting);
      return;
    case 'object':
    case undefined:
      for (const one of [value].flat()) if (isObject(one)) collectFrom(one, collecting);
  }
}

function collectIds(value: unknown, into: number[]): void {
  for (const id of Array.isArray(value) ? (value as readonly unknown[]) : [value])
    if (typeof id === 'number' && id > 0) into.push(id);
}

function collectRanges(value: unknown, into: NamedRange[]): void {
  if (!Array.isArray(value)) return;
  for (const one of value as readonly unknown[])
    if (isObject(one)) into.push({ from: Number(one['from']), through: Number(one['through']) });
}

/** A topic is in the same object as its channel; in a move, the new topic is beside the previous place. */
function collectTopics(data: Fields, { topics }: CollectedSubjects): void {
  const { channelId, topic, newTopic, newChannel, selection } = data;
  if (typeof channelId === 'number' && typeof topic === 'string') topics.push({ channelId, topic });
  if (typeof newTopic !== 'string' || !isObject(selection)) return;
  const to = (isObject(newChannel) ? newChannel : selection)['channelId'];
  if (typeof to === 'number') topics.push({ channelId: to, topic: newTopic });
}
