import type { Requester, TimedRequest } from './requester.js';
import type { Members } from './members.js';
import { Random } from './random.js';
import { soughtWords } from './texts.js';

/** An expensive request, or an attack. */
export interface HeavyRequest {
  readonly what: string;
  /** Makes the data for the request; returns the requests, which are sent at the same time. */
  readonly prepare: (requester: Requester) => Promise<readonly TimedRequest[]>;
  /** How often the requests are sent. */
  readonly times: number;
}

/** The number of ids, words, edits and so on in a request: with a small archive, as many as exist. */
export interface Extent {
  readonly messages: number;
}

/** A send that shows that the server accepts writes. */
export function smallSend({ channelIds }: Members): TimedRequest {
  return sending(channelIds[0]!, 'Still here.');
}

/** First large but legitimate requests, then attacks. */
export function heavyRequests(members: Members, extent: Extent): readonly HeavyRequest[] {
  return [...rightful(extent), ...searches(), ...attacksByText(members), ...attacksByNumber(members)];
}

function rightful({ messages }: Extent): readonly HeavyRequest[] {
  const many = Math.min(5_000, Math.floor(messages / 2));
  const ids = Array.from({ length: many }, (_, index) => Math.floor(((index + 1) * messages) / (many + 1)));
  const byIds: TimedRequest = {
    method: 'POST',
    path: 'messages',
    parameters: { method: 'GET', message_ids: ids },
  };
  return [
    again(`${many} newest`, page({ anchor: 'newest', num_before: many, num_after: 0 })),
    again(
      `${many} around the middle`,
      page({ anchor: Math.floor(messages / 2), num_before: many / 2, num_after: many / 2 }),
    ),
    again(`${many} ids`, byIds),
    again('register, with everything unread', register()),
    again('20 registers at once', ...Array.from({ length: 20 }, register)),
    again('all people', { method: 'GET', path: 'users' }),
  ];
}

function searches(): readonly HeavyRequest[] {
  const random = new Random(1);
  const words = (count: number): string =>
    Array.from({ length: count }, () => random.below(1e9).toString(36)).join(' ');
  const many = (count: number): HeavyRequest => again(`search of ${count} words`, search(words(count)));
  const { common, otherCommon } = soughtWords;
  return [
    many(30),
    many(16_000),
    many(100_000),
    again('a phrase of common words', search(`"${Array(8).fill(`${common} ${otherCommon}`).join(' ')}"`)),
  ];
}

/** Texts that are expensive to render or to compare, compared to their size. */
function attacksByText({ channelIds }: Members): readonly HeavyRequest[] {
  const random = new Random(2);
  const letters = (): string => Array.from({ length: 4_900 }, () => 'abcdefgh'[random.below(8)]).join(' ');
  const table = (): string =>
    `| ${'a | '.repeat(8)}\n|${'---|'.repeat(8)}\n${`| ${'b | '.repeat(8)}\n`.repeat(75)}${random.below(1e6)}`;
  const emoji = (): string => '😀'.repeat(9_990) + String(random.below(1e6));
  const sends = (what: string, content: string): HeavyRequest => once(what, sending(channelIds[0]!, content));
  return [
    sends(
      'send a table of 5.8 million cells',
      `${'|'.repeat(2_000)}\n${'|'.repeat(2_000)}\n${'a\n'.repeat(2_900)}`,
    ),
    sends('send 2,499 rules before a table', `${'---\n'.repeat(2_499)}|#`),
    edited('history of 100 edits of random letters', {
      edits: 100,
      text: letters,
      channelId: channelIds[1]!,
    }),
    edited('history of 48 edits of a table', { edits: 48, text: table, channelId: channelIds[2]! }),
    edited('history of 40 edits of 10,000 emoji', { edits: 40, text: emoji, channelId: channelIds[3]! }),
    again('the channel with the table that was edited', inChannel(channelIds[2]!)),
  ];
}

function attacksByNumber({ people }: Members): readonly HeavyRequest[] {
  const names = Array.from({ length: 100 }, (_, index) => ({ name: `new ${index}` }));
  const principals = people.map(({ id }) => id);
  const subscribing: TimedRequest = {
    method: 'POST',
    path: 'users/me/subscriptions',
    parameters: { subscriptions: names, principals },
  };
  const queue: TimedRequest = {
    method: 'POST',
    path: 'register',
    parameters: { event_types: ['message'], fetch_event_types: ['realm'] },
  };
  return [
    once(`${principals.length} people subscribed to 100 new channels`, subscribing),
    once('300 event queues', ...Array.from({ length: 300 }, () => queue)),
    {
      what: 'a picture of 5 MB that is none, 4 at once',
      times: 1,
      prepare: async () => [1, 2, 3, 4].map(falsePicture),
    },
  ];
}

function falsePicture(): TimedRequest {
  const bytes = Buffer.alloc(5_000_000, 0xff);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]).copy(bytes);
  const body = new FormData();
  body.append('file', new File([bytes], 'picture.jpg', { type: 'image/jpeg' }));
  return { method: 'POST', path: 'users/me/avatar', body };
}

/** Sends a message, edits it a number of times, and reads its history, as far as the limits allow. */
function edited(
  what: string,
  {
    edits,
    text,
    channelId,
  }: { readonly edits: number; readonly text: () => string; readonly channelId: number },
): HeavyRequest {
  const prepare = async (requester: Requester): Promise<readonly TimedRequest[]> => {
    const { id } = await requester.must(sending(channelId, 'To be edited.'));
    const path = `messages/${String(id)}`;
    for (let edit = 0; edit < edits; edit += 1) {
      await requester.insist({ method: 'PATCH', path, parameters: { content: text() } });
    }
    return [{ method: 'GET', path: `${path}/history` }];
  };
  return { what, times: 3, prepare };
}

const again = (what: string, ...requests: readonly TimedRequest[]): HeavyRequest => ({
  what,
  times: 4,
  prepare: async () => requests,
});

const once = (what: string, ...requests: readonly TimedRequest[]): HeavyRequest => ({
  what,
  times: 1,
  prepare: async () => requests,
});

function page(parameters: Readonly<Record<string, unknown>>): TimedRequest {
  return { method: 'GET', path: 'messages', parameters };
}

function inChannel(channelId: number): TimedRequest {
  const narrow = [{ operator: 'channel', operand: channelId }];
  return page({ anchor: 'newest', num_before: 100, num_after: 0, narrow });
}

function search(operand: string): TimedRequest {
  const narrow = [{ operator: 'search', operand }];
  const parameters = { method: 'GET', anchor: 'newest', num_before: 100, num_after: 0, narrow };
  return { method: 'POST', path: 'messages', parameters };
}

function register(): TimedRequest {
  return { method: 'POST', path: 'register', parameters: {} };
}

function sending(channelId: number, content: string): TimedRequest {
  return {
    method: 'POST',
    path: 'messages',
    parameters: { type: 'stream', to: String(channelId), topic: 'heavy', content },
  };
}
