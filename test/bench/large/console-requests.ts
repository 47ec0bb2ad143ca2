import { median } from '../support/rounds.js';
import type { Requester, TimedReply, TimedRequest } from './requester.js';
import { topicAt } from './conversation.js';
import { missedBound, rounded, type Bounds, type Finding } from './findings.js';
import type { Members } from './members.js';

/** A request of one of the console's pages. */
export interface ConsoleRequest {
  readonly what: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A message in the middle of the conversation, and the position of its event in the log. */
interface Middle {
  readonly messageId: number;
  readonly position: number;
}

/** The number of events that the log's page requests, which fill a screen. */
const SCREEN = 60;
const WARM_TIMES = 5;

/**
 * Each kind of request of the console's pages. Requests for the log are tried with each filter, and with some
 * combinations.
 */
export function consoleRequests(members: Members, middle: Middle): readonly ConsoleRequest[] {
  return [
    ...ofOperators,
    ...ofLog(members, middle),
    ...ofLives(members, middle.messageId),
    ...ofPast(members, middle.position),
  ];
}

/** The position of the event that sent a message: in EventStoreDB, positions do not count events. */
export async function positionOf(owner: Requester, messageId: number): Promise<number> {
  const parameters = { type: 'MessageSent', message_id: messageId, limit: 1 };
  const { events } = await owner.must({ method: 'GET', path: 'audit/log', parameters });
  const [event] = events as readonly { readonly position: number }[];
  if (typeof event?.position !== 'number') throw new Error(`The log has no message ${messageId}`);
  return event.position;
}

const ofOperators: readonly ConsoleRequest[] = [
  { what: 'what one may do', path: 'audit/access' },
  { what: 'overview', path: 'audit/overview' },
  { what: 'what was ordered', path: 'audit/operations', parameters: { snapshots: false } },
  { what: 'read models and dead letters', path: 'audit/projections' },
  { what: 'seals', path: 'audit/seals', parameters: { limit: 100 } },
  { what: 'last proof', path: 'audit/proofs' },
  { what: 'cases', path: 'audit/cases' },
  { what: 'types of events', path: 'audit/event_types' },
];

function ofLog({ people, channelIds }: Members, { messageId, position }: Middle): readonly ConsoleRequest[] {
  const [channel_id, quiet] = [channelIds[0]!, channelIds[80]!];
  const [often, seldom] = [people[0]!.id, people[190]!.id];
  const log = (what: string, filters: Readonly<Record<string, unknown>>): ConsoleRequest => ({
    what: `log: ${what}`,
    path: 'audit/log',
    parameters: { newest_first: true, limit: SCREEN, with_data: false, ...filters },
  });
  return [
    log('newest', {}),
    log('a page in the middle', { before: position }),
    log('until a position', { to: String(position) }),
    log('until a time', { to: '2025-02-01T00:00' }),
    log('between two times', { from: '2025-01-10T00:00', to: '2025-01-10T01:00' }),
    log('a frequent type', { type: 'MessageSent' }),
    log('a rare type', { type: 'UserRoleChanged' }),
    log('a type that never was', { type: 'ChannelUnarchived' }),
    log('several types', { type: 'MessageEdited,MessageDeleted,UserRoleChanged' }),
    log('actor, frequent', { actor: String(often) }),
    log('actor, seldom', { actor: String(seldom) }),
    log('person concerned', { about: String(often) }),
    log('channel', { channel_id }),
    log('channel and topic', { channel_id, topic: topicAt(3) }),
    log('message', { message_id: messageId }),
    log('role', { role: 'owner' }),
    log('role, frequent', { role: 'member' }),
    log('own content', { content: 'own' }),
    log('others’ content', { content: 'others' }),
    log('actor in a channel', { actor: String(seldom), channel_id: quiet }),
    log('actor, channel and type', { actor: String(often), channel_id, type: 'MessageEdited' }),
    log('two people and a channel', { actor: String(often), about: String(seldom), channel_id }),
    log('owners, others’ content, a channel', { role: 'owner', content: 'others', channel_id }),
    { what: 'an event', path: `audit/events/${position}` },
  ];
}

function ofLives({ people, channelIds }: Members, middle: number): readonly ConsoleRequest[] {
  const page = { newest_first: true, limit: SCREEN, with_data: false };
  const message = `audit/messages/${middle}`;
  return [
    { what: 'people', path: 'audit/people', parameters: { limit: 50 } },
    { what: 'people with a name', path: 'audit/people', parameters: { name: '7', limit: 50 } },
    { what: 'names of people', path: 'audit/people', parameters: { ids: [people[0]!.id], limit: 200 } },
    { what: 'channels', path: 'audit/channels', parameters: { limit: 50 } },
    { what: 'somebody’s life', path: `audit/people/${people[0]!.id}`, parameters: page },
    { what: 'a channel’s life', path: `audit/channels/${channelIds[0]!}`, parameters: page },
    { what: 'a message’s life', path: `${message}/history` },
    { what: 'who can see it', path: `${message}/who-could-see`, parameters: { limit: 200 } },
    { what: 'who has read it', path: `${message}/readers`, parameters: { limit: 200 } },
  ];
}

function ofPast({ channelIds, people }: Members, middle: number): readonly ConsoleRequest[] {
  const channel = { channel_id: channelIds[0]! };
  const topic = { ...channel, topic: topicAt(3) };
  const as = String(people[0]!.id);
  const newest = { num_before: 50, num_after: 0 };
  const past = (what: string, parameters: Readonly<Record<string, unknown>>): ConsoleRequest => ({
    what: `time machine: ${what}`,
    path: 'audit/conversation',
    parameters: { ...newest, with_changes: true, ...parameters },
  });
  const compared = (what: string, parameters: Readonly<Record<string, unknown>>): ConsoleRequest => ({
    what: `comparison of ${what}`,
    path: 'audit/conversation/comparison',
    parameters: { ...parameters, from: String(middle) },
  });
  return [
    past('a large channel', channel),
    past('a large channel, in the middle', { ...channel, at: String(middle) }),
    past('a topic of it', topic),
    past('a topic of it, in the middle', { ...topic, at: String(middle) }),
    past('by somebody’s eyes', { ...topic, at: String(middle), as }),
    compared('a topic: its first page', topic),
    compared('a large channel: its first page', channel),
    compared('a large channel by somebody’s eyes: its first page', { ...channel, as }),
  ];
}

/** Times the requests of the console's pages, the first and the later ones. */
export async function measureConsole(
  { what, path, parameters = {} }: ConsoleRequest,
  { owner, bounds }: { readonly owner: Requester; readonly bounds: Bounds },
): Promise<Finding> {
  const request: TimedRequest = { method: 'GET', path, parameters };
  const { result: first, rows } = await owner.countingRows(() => owner.ask(request));
  const again: TimedReply[] = [];
  for (let time = 0; time < WARM_TIMES; time += 1) again.push(await owner.ask(request));
  const warm = median(again.map(({ milliseconds }) => milliseconds));
  const refused = [first, ...again].find(({ status }) => status !== 200);
  return {
    what: `console, ${what}`,
    result: `first ${rounded(first.milliseconds)} ms, warm ${rounded(warm)} ms, ${rounded(first.bytes / 1000)} kB`,
    rows,
    others: '',
    missed: missedBound('warm', warm, bounds.console),
    ...(refused && { failed: `${refused.status} ${refused.text().slice(0, 120)}` }),
  };
}
