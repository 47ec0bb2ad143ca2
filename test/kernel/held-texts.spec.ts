import { beforeEach, describe, expect, it } from '@jest/globals';
import { CachedTexts, type CachedTextsOptions } from '../../src/erasure/cached-texts.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { Repetitions } from '../../src/stores/event-store/repetitions.js';
import type { FoldedStream } from '../../src/kernel/decision.js';
import { messageStream } from '../../src/events/messages.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import { standIn } from '../support/stand-in.js';

const fold: FoldedStream<string, never>['fold'] = { initial: 'what somebody wrote', evolve: (text) => text };
const folded = (stream: string): FoldedStream<string, never> => ({ stream, fold });

let streams: FoldedStreams;
let queues: EventQueues;
let told: string[];
let held: CachedTexts;

beforeEach(async () => {
  told = [];
  streams = new FoldedStreams({
    readStream: () => Promise.resolve([]),
    appendTogether: () => Promise.reject(new Error('Nothing is appended')),
    repetitions: new Repetitions(),
  });
  for (const stream of [messageStream(41), messageStream(42), 'users']) await streams.load(folded(stream));
  queues = new EventQueues();
  const note = (what: string) => (): Promise<void> => {
    told.push(what);
    return Promise.resolve();
  };
  const options = {
    streams,
    queues,
    messages: { forgetTexts: note('messages') },
    copies: { drop: note('copies') },
    readers: { forgetTexts: note('readers'), forgetNames: note('names') },
    emails: { forgetMessages: note('letters'), forgetPeople: note('letters') },
  };
  held = new CachedTexts(standIn<CachedTextsOptions>(options));
});

const keptStreams = (): string[] =>
  [messageStream(41), messageStream(42), 'users'].filter((stream) => streams.cached(folded(stream)) !== null);

describe('what this process holds of erased texts', () => {
  it('is forgotten of messages, in every cache and thread, and nothing else', async () => {
    expect(keptStreams()).toHaveLength(3);
    const forgotten: number[] = [];
    queues.forgetMessage = (id) => void forgotten.push(id);
    await held.forgetMessages([41]);
    expect(keptStreams()).toEqual([messageStream(42), 'users']);
    expect(told.sort()).toEqual(['letters', 'messages', 'readers']);
    expect(forgotten).toEqual([41]);
  });

  it('is forgotten altogether of people, who may be anywhere in it but in queues that were opened since', async () => {
    const options = { ...requestedOptionsOf({}, undefined), allPublicChannels: false, narrow: everyMessage };
    queues.open(3, options, 99);
    const since = queues.open(3, options, 100);
    await held.forgetPeople([4], 100);
    expect(keptStreams()).toEqual([]);
    expect([...queues.all()]).toEqual([since]);
    expect(told.sort()).toEqual(['copies', 'letters', 'messages', 'names', 'readers']);
  });
});
