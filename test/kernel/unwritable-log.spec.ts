import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { PushMissedMessages } from '../../src/contexts/missed-messages/jobs/push-missed-messages.js';
import { foldedCalls } from '../../src/contexts/outgoing-webhooks/calls.state.js';
import { SendCalls } from '../../src/contexts/outgoing-webhooks/jobs.js';
import { devicesFold } from '../../src/contexts/push/devices.state.js';
import { OUTGOING_WEBHOOKS_STREAM } from '../../src/events/outgoing-webhooks.js';
import { Decisions } from '../../src/http/decisions.js';
import { serverMetadata } from '../../src/stores/event-store/command-metadata.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { EventStoreUnavailableError } from '../../src/stores/event-store/port.js';
import { until } from '../projection/support/waiting.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { waitForNobody } from '../support/decisions-over.js';

const now = 1_000_000;
const clock = { now: () => now };
const full = new EventStoreUnavailableError('The disk of the event log is full', false);
const bot = {
  id: 5,
  isActive: true,
  email: 'loom@example.com',
  fullName: 'Loom',
  bot: { ownerId: null, service: { baseUrl: 'http://example.com/hook', interface: 1 } },
};
const directory = {
  state: {},
  user: (id: number) => (id === bot.id ? bot : null),
  users: () => [bot],
  linkifiers: [],
};
const follower = { current: () => directory } as never;
const nothing = {} as never;

let stores: TemporaryStores;
let decisions: Decisions;
let appends: ReturnType<typeof failingAppends>;
let ticks: ReturnType<typeof stoppedClock>;

/** The log cannot be written, but read. */
function failingAppends() {
  return jest.spyOn(stores.log, 'appendTogether').mockRejectedValue(full);
}

/** The clock that pauses are measured with. */
function stoppedClock() {
  return jest.spyOn(performance, 'now').mockReturnValue(0);
}

beforeEach(async () => {
  stores = await openTemporaryStores();
  decisions = new Decisions(new FoldedStreams(stores.log), follower, clock, waitForNobody);
  await stores.log.append(
    { stream: OUTGOING_WEBHOOKS_STREAM, expected: 'any' },
    [{ type: 'OutgoingWebhookRequested', data: { messageId: 41, botId: bot.id, trigger: 'mention' } }],
    serverMetadata(randomCommandId(), now),
  );
  appends = failingAppends();
  ticks = stoppedClock();
});

afterEach(async () => {
  ticks.mockRestore();
  await stores.dispose();
});

/** Notifications of one message for one person, whose second device the relay does not know. */
function notifications(): {
  readonly sent: unknown[];
  readonly disabled: unknown[];
  job: PushMissedMessages;
} {
  const sent: unknown[] = [];
  const disabled: unknown[] = [];
  const missed = { _id: '5:41', userId: bot.id, messageId: 41, notedAt: now };
  const reader = {
    pushes: () => Promise.resolve({ find: () => Promise.resolve([missed]) }),
    examine: () => Promise.resolve({ unread: [{}], passedIds: [] }),
  };
  const push = {
    relay: {},
    devices: () => Promise.resolve(devicesFold.initial),
    notify: (_relay: unknown, _devices: unknown, notification: unknown) => {
      sent.push(notification);
      return Promise.resolve({ count: 1, gone: [{ id: 8, userId: bot.id }] });
    },
    disable: async (gone: readonly unknown[]) => void disabled.push(...gone),
  };
  const wording = { of: () => Promise.resolve('Note G') };
  const job = new PushMissedMessages(
    reader as never,
    push as never,
    wording as never,
    decisions,
    follower,
    clock,
  );
  return { sent, disabled, job };
}

const recordsOf = async (stream: string): Promise<string[]> =>
  (await stores.log.readStream(stream, { from: 0, limit: 10 })).map(({ type }) => type);

it('A notification is sent once while the log cannot be written, and recorded once it can', async () => {
  const { sent, disabled, job } = notifications();
  await expect(job.perform()).rejects.toBe(full);
  ticks.mockReturnValue(1_000);
  await expect(job.perform()).rejects.toBe(full);
  appends.mockRestore();
  ticks.mockReturnValue(3_000);
  await job.perform();
  await job.perform();
  expect(sent).toEqual(['Note G']);
  expect(disabled).toHaveLength(3);
  expect(await recordsOf('missed-41')).toEqual(['MissedMessagePushed']);
});

it('Notifications pause while the log cannot be written', async () => {
  const { job } = notifications();
  for (const time of [0, 999, 1_000, 2_999]) {
    ticks.mockReturnValue(time);
    await job.perform().catch(() => undefined);
  }
  expect(appends).toHaveBeenCalledTimes(2);
});

/** A bot's program that answers with nothing, so that nothing is posted. */
function calls(): { readonly posts: unknown[]; readonly job: SendCalls } {
  const posts: unknown[] = [];
  const client = {
    post: (request: unknown) => {
      posts.push(request);
      return Promise.resolve({ kind: 'answered', status: 200, body: '' });
    },
  };
  const document = { _id: 41, senderId: 3, channelId: null, participantIds: [], topic: null, arrival: 0 };
  const message = {
    document: { ...document, html: '<p>Hi</p>' },
    common: '"id":41',
    markdown: '"content":"Hi"',
  };
  const job = new SendCalls(
    client as never,
    nothing,
    nothing,
    { cached: () => Promise.resolve(new Map([[41, message]])) } as never,
    { serviceToken: () => 'token' } as never,
    { url: 'https://chat.example.com' } as never,
    decisions,
    follower,
    clock,
  );
  return { posts, job };
}

/** Runs the job at a time, and lets what it started go on. */
async function runAt(job: SendCalls, time: number): Promise<void> {
  ticks.mockReturnValue(time);
  await job.perform().catch(() => undefined);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

it('A call is sent once while the log cannot be written, in longer and longer intervals tried to record, and then recorded', async () => {
  const { posts, job } = calls();
  for (const time of [0, 250, 999, 1_000, 2_999]) await runAt(job, time);
  expect(appends).toHaveBeenCalledTimes(2);
  appends.mockRestore();
  await runAt(job, 3_000);
  await until(async () => (await decisions.load(foldedCalls)).size === 0);
  expect(posts).toHaveLength(1);
  expect(await recordsOf(OUTGOING_WEBHOOKS_STREAM)).toEqual([
    'OutgoingWebhookRequested',
    'OutgoingWebhookAnswered',
  ]);
});
