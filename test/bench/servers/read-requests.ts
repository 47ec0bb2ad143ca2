import type { LoadRequest } from '../support/load.js';
import { sampleTopic } from '../support/sample-messages.js';
import { authorizationOf } from '../support/server-process.js';
import type { Contender } from './contender.js';

/** Reads to measure. */
export interface ReadRequests {
  readonly what: string;
  /** Whether the reads reach the store: the newest messages may be cached. */
  readonly isOfStore: boolean;
  readonly requestsOf: (contender: Contender) => Promise<readonly LoadRequest[]>;
}

interface Term {
  readonly operator: string;
  readonly operand: unknown;
}

const MESSAGES_ON_PAGE = 100;
const PLACES = 100;

/** Pages, narrows and registrations. @param messages the number of messages */
export function readRequests(messages: number): readonly ReadRequests[] {
  const inTopic = ({ channelId }: Contender): readonly Term[] => [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: sampleTopic(3) },
  ];
  return [
    { ...narrow('page: the newest 100', () => []), isOfStore: false },
    elsewhere(messages),
    narrow('narrow: a topic', inTopic),
    narrow('narrow: has:link', () => [{ operator: 'has', operand: 'link' }]),
    narrow('narrow: search for a frequent word', () => [{ operator: 'search', operand: 'workshop' }]),
    narrow('narrow: search for what is there once', () => [{ operator: 'search', operand: '(100)' }]),
    { what: 'register', isOfStore: false, requestsOf: registers },
  ];
}

function narrow(what: string, terms: (contender: Contender) => readonly Term[]): ReadRequests {
  const requestsOf = async (contender: Contender): Promise<readonly LoadRequest[]> => [
    await page(contender, { anchor: 'newest', narrow: JSON.stringify(terms(contender)) }),
  ];
  return { what, isOfStore: true, requestsOf };
}

/** Pages that are far apart, so that the cache does not help. */
function elsewhere(messages: number): ReadRequests {
  const anchors = Array.from({ length: PLACES }, (_, index) =>
    Math.ceil(MESSAGES_ON_PAGE + (((index * 37) % PLACES) * (messages - MESSAGES_ON_PAGE)) / PLACES),
  );
  return {
    what: 'page: 100, each time elsewhere',

    isOfStore: true,
    requestsOf: (contender) =>
      Promise.all(anchors.map((anchor) => page(contender, { anchor: String(anchor) }))),
  };
}

async function page(contender: Contender, place: Readonly<Record<string, string>>): Promise<LoadRequest> {
  const query = new URLSearchParams({
    num_before: String(MESSAGES_ON_PAGE - 1),
    num_after: '0',
    ...place,
  });
  return {
    method: 'GET',
    path: `/api/v1/messages?${query.toString()}`,
    headers: await headersOf(contender),
  };
}

async function registers(contender: Contender): Promise<readonly LoadRequest[]> {
  const body = new URLSearchParams({ event_types: JSON.stringify(['message']) }).toString();
  const headers = { ...(await headersOf(contender)), 'content-type': 'application/x-www-form-urlencoded' };
  return [{ method: 'POST', path: '/api/v1/register', headers, body }];
}

async function headersOf(contender: Contender): Promise<Readonly<Record<string, string>>> {
  return { authorization: authorizationOf(await contender.owner()), 'user-agent': 'bench/1' };
}
