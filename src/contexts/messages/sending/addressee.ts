import { failure } from '../../../kernel/errors.js';
import type { SendMessageParameters } from '../messages.parameters.js';
import type { Addressee } from './recipients.js';

type To = NonNullable<SendMessageParameters['to']>;

/**
 * The addressee that the parameters of `POST /messages` name: `to` may be text, a number, or a list of
 * either.
 *
 * @throws ApplicationError for a channel message without a topic, for a list that names more than one
 * channel, and for an empty list
 */
export function addresseeOf({
  type,
  to,
  topic,
}: Pick<SendMessageParameters, 'type' | 'to' | 'topic'>): Addressee {
  if (type === 'private' || type === 'direct') {
    if (to === undefined) throw failure('missingParameter', { var_name: 'to' });
    return { type: 'direct', people: peopleIn(to) };
  }
  if (topic === undefined) throw failure('missingParameter', { var_name: 'topic' });
  return { type: 'channel', channel: to === undefined ? null : channelIn(to), topic };
}

function channelIn(to: To): number | string {
  if (typeof to !== 'object') return to;
  const [channel, another] = to;
  if (channel === undefined || another !== undefined) {
    throw failure('oneChannelExpected');
  }
  return channel;
}

function peopleIn(to: To): readonly number[] | readonly string[] {
  if (typeof to === 'number') return [to];
  if (typeof to === 'object') return to;
  const people = to
    .split(',')
    .map((person) => person.trim())
    .filter((person) => person !== '');
  return people.every((person) => /^\d+$/.test(person)) ? people.map(Number) : people;
}

/** Clients that people type into: a message sent through one of them counts as read by its sender. */
const interactiveClients: ReadonlySet<string> = new Set([
  'website',
  'ZulipElectron',
  'ZulipMobile',
  'ZulipTerminal',
  'zulip-terminal',
  'desktop app',
]);

/** Whether the sender's own copy counts as read: the request decides, else the kind of client. */
export function countsAsRead(requested: boolean | undefined, client: string): boolean {
  return requested ?? interactiveClients.has(client);
}
