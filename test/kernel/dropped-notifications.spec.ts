import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { missedMessagesProjection } from '../../projections/missed-messages.projection.js';
import { sentenceOf } from '../../src/audit/sentences/sentence-of.js';
import { PushMissedMessages } from '../../src/contexts/missed-messages/jobs/push-missed-messages.js';
import type { MissedPushDocument } from '../../src/contexts/missed-messages/read-model.js';
import { devicesFold } from '../../src/contexts/push/devices.state.js';
import type { DeviceEvent } from '../../src/events/devices.js';
import type { MissedMessageEvent } from '../../src/events/missed-messages.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { Decisions } from '../../src/http/decisions.js';
import { serverMetadata } from '../../src/stores/event-store/command-metadata.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { Collection } from '../../src/stores/read-store/port.js';
import { buildOptions } from '../projection/support/building.js';
import { waitForNobody } from '../support/decisions-over.js';
import { foldEvents } from '../support/fold-events.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const HOUR = 3_600_000;
const ada = 5;
const missedAt = 1_000_000;

let now = missedAt;
let stores: TemporaryStores;

beforeEach(async () => {
  now = missedAt;
  stores = await openTemporaryStores();
  const data = { messageId: 41, mail: [], push: [{ userId: ada, trigger: 'mentioned' as const }] };
  const metadata = serverMetadata(randomCommandId(), now);
  await stores.log.append(
    { stream: 'missed-41', expected: 'any' },
    [{ type: 'MessageMissed', data }],
    metadata,
  );
});

afterEach(() => stores.dispose());

/** The notifications that wait, as the read model has them. */
async function waiting(): Promise<Collection<MissedPushDocument>> {
  const { model } = await rebuildModel(stores, missedMessagesProjection, buildOptions());
  return model.collection<MissedPushDocument>('pushes');
}

const registered = { type: 'DeviceRegistered', data: { deviceId: 1, userId: ada } } as const;
const enabled = {
  type: 'DevicePushEnabled',
  data: { deviceId: 1, userId: ada, tokenKind: 'fcm', tokenId: 'token', pushKeyId: 7 },
} as const;
const someDevices = foldEvents(
  devicesFold,
  [registered, enabled].map(
    (event, revision) => ({ ...event, revision, metadata: { at: missedAt } }) as RecordedEvent<DeviceEvent>,
  ),
);

const usual = { relay: {}, isActive: true, isUnread: true, devices: someDevices };

/** Runs the job once. Returns what was sent. */
async function sentIn(world: Partial<Record<keyof typeof usual, unknown>>): Promise<readonly unknown[]> {
  const { relay, isActive, isUnread, devices } = { ...usual, ...world };
  const sent: unknown[] = [];
  const clock = { now: () => now };
  const follower = { current: () => ({ user: () => ({ isActive }) }) } as never;
  const pushes = await waiting();
  const examined = isUnread === true ? { unread: [{}], passedIds: [] } : { unread: [], passedIds: [41] };
  const job = new PushMissedMessages(
    { pushes: () => Promise.resolve(pushes), examine: () => Promise.resolve(examined) } as never,
    {
      relay,
      devices: () => Promise.resolve(devices),
      notify: (_relay: unknown, _devices: unknown, notification: unknown) => {
        sent.push(notification);
        return Promise.resolve({ count: 1, gone: [] });
      },
      disable: () => Promise.resolve(),
    } as never,
    { of: () => Promise.resolve('Note G') } as never,
    new Decisions(new FoldedStreams(stores.log), follower, clock, waitForNobody),
    follower,
    clock,
  );
  await job.perform();
  await job.perform();
  return sent;
}

/** What was recorded after the message was missed. */
async function recorded(): Promise<readonly RecordedEvent<MissedMessageEvent>[]> {
  const events = await stores.log.readStream('missed-41', { from: 1, limit: 10 });
  return events as readonly RecordedEvent<MissedMessageEvent>[];
}

describe('A notification of a message', () => {
  it('is sent for an hour', async () => {
    now += HOUR;
    expect(await sentIn({})).toEqual(['Note G']);
    expect(await recorded()).toMatchObject([{ type: 'MissedMessagePushed', data: { userIds: [ada] } }]);
  });

  it('is dropped after an hour, which is recorded once, and waits no longer', async () => {
    now += HOUR + 1;
    expect(await (await waiting()).find({})).toHaveLength(1);
    expect(await sentIn({})).toEqual([]);
    const events = await recorded();
    expect(events).toMatchObject([
      { type: 'MissedMessagePushDropped', data: { messageId: 41, userIds: [ada] } },
    ]);
    expect(await (await waiting()).find({})).toEqual([]);
    expect(sentenceOf(events[0]!, { nameAt: () => 'Ada' })).toBe(
      'The notification of message 41 on devices of Ada (5) was dropped, because it could not be sent within an hour.',
    );
  });

  it.each([
    ['no push relay is set', { relay: null }],
    ['the account was deactivated', { isActive: false }],
    ['they have read the message', { isUnread: false }],
    ['they have no device any more', { devices: devicesFold.initial }],
  ])('is not needed, rather than dropped, if after an hour %s', async (_what, world) => {
    now += HOUR + 1;
    expect(await sentIn(world)).toEqual([]);
    expect(await recorded()).toMatchObject([{ type: 'MissedMessagePushed', data: { passedUserIds: [ada] } }]);
    expect(await (await waiting()).find({})).toEqual([]);
  });
});
