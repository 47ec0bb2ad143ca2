import { budgets } from '../../src/kernel/budgets.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NoticeSender } from '../../src/contexts/channels/notices.js';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { failure } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { MESSAGES_STREAM, type Recipient } from '../../src/events/messages.js';
import type { MessageComposer } from '../../src/contexts/messages/sending/message-composer.js';
import type { Addressee } from '../../src/contexts/messages/sending/recipients.js';
import {
  decideCancelScheduledMessage,
  decideChangeScheduledMessage,
  decideScheduleMessage,
  decideTriggerScheduledMessage,
  type Outcome,
} from '../../src/contexts/personal/scheduled-messages.decide.js';
import { readdressed } from '../../src/contexts/personal/personal.parameters.js';
import { DueScheduledMessages } from '../../src/contexts/personal/jobs.js';
import type { ScheduledMessageEvent } from '../../src/events/personal.js';
import { ConsistentLog } from '../../src/http/consistency.js';
import { Decisions } from '../../src/http/decisions.js';
import type { PersonalReader } from '../../src/contexts/personal/personal-reader.js';
import type { PlannedMessage } from '../../src/contexts/personal/planned-message.js';
import { SendScheduledMessages } from '../../src/contexts/personal/reactors.js';
import {
  scheduledMessagesFold,
  type ScheduledMessages,
} from '../../src/contexts/personal/scheduled-messages.state.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { standIn } from '../support/stand-in.js';

const organization = new TestOrganization();
const ada = organization.register();
const stream = `user-${ada}`;
const now = atTheTime;
const dueAt = now / 1000 + 60;
const recipient: Recipient = { type: 'channel', channelId: 1, topic: 'engines' };
const text = { content: 'Note G', references: {} };
const planned: PlannedMessage = {
  userId: ada,
  recipient,
  ...text,
  readBySender: true,
  dueAt,
  client: 'test',
};
const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
const first = { userId: ada, scheduledId: 1 };
const triggered: Outcome = {
  type: 'ScheduledMessageTriggered',
  data: { ...first, recipient, ...text, mentions, readBySender: true, client: 'test' },
};
const failed: Outcome = { type: 'ScheduledMessageFailed', data: { ...first, reason: 'no' } };
const cancelled: ScheduledMessageEvent = { type: 'ScheduledMessageCancelled', data: first };

function after(...events: readonly ScheduledMessageEvent[]): ScheduledMessages {
  const log = new TestLog();
  log.append(stream, events);
  return log.fold<ScheduledMessages, ScheduledMessageEvent>(scheduledMessagesFold, stream);
}

const scheduled = decideScheduleMessage(scheduledMessagesFold.initial, planned, now);
const later = { scheduledId: 1, from: 0, planned: { ...planned, content: 'Note H', dueAt: dueAt + 60 } };
const changed = decideChangeScheduledMessage(after(...scheduled), later, now);

describe('a scheduled message', () => {
  it('waits for a time to come', () => {
    expect(scheduled).toEqual([{ type: 'MessageScheduled', data: { ...planned, scheduledId: 1 } }]);
    const past = { ...planned, dueAt: now / 1000 };
    expect(refusal(() => decideScheduleMessage(after(), past, now))).toBe('dueTimePassed');
  });

  it('is one of a limited number', () => {
    const events = Array.from(
      { length: budgets.scheduledMessages.max },
      (_, index): ScheduledMessageEvent => ({
        type: 'MessageScheduled',
        data: { ...planned, scheduledId: index + 1 },
      }),
    );
    expect(refusal(() => decideScheduleMessage(after(...events), planned, now))).toBe(
      'tooManyScheduledMessages',
    );
  });

  it('can be changed into what may still come', () => {
    expect(changed).toEqual([
      { type: 'ScheduledMessageChanged', data: { ...later.planned, scheduledId: 1 } },
    ]);
    const past = { ...later, planned: { ...planned, dueAt: now / 1000 } };
    expect(refusal(() => decideChangeScheduledMessage(after(...scheduled), past, now))).toBe('dueTimePassed');
  });

  it('is not changed on the ground of what it was before another change', () => {
    const state = after(...scheduled, ...changed);
    expect(decideChangeScheduledMessage(state, later, now)).toEqual([]);
    expect(decideChangeScheduledMessage(state, { ...later, from: 1 }, now)).toHaveLength(1);
  });

  it('is sent once, as it was last', () => {
    expect(decideTriggerScheduledMessage(after(...scheduled), triggered, 0)).toEqual([triggered]);
    expect(decideTriggerScheduledMessage(after(...scheduled, triggered), triggered, 0)).toEqual([]);
    expect(decideTriggerScheduledMessage(after(...scheduled, cancelled), triggered, 0)).toEqual([]);
    expect(decideTriggerScheduledMessage(after(...scheduled, ...changed), triggered, 0)).toEqual([]);
    expect(decideTriggerScheduledMessage(after(...scheduled, ...changed), triggered, 1)).toEqual([triggered]);
  });

  it('that could not be sent waits to be changed', () => {
    const state = after(...scheduled, failed);
    expect(decideTriggerScheduledMessage(state, triggered, 0)).toEqual([]);
    const revived = after(...scheduled, failed, ...decideChangeScheduledMessage(state, later, now));
    expect(decideTriggerScheduledMessage(revived, triggered, 2)).toEqual([triggered]);
  });

  it('can be taken back while it waits', () => {
    expect(decideCancelScheduledMessage(after(...scheduled), first)).toEqual([cancelled]);
    expect(decideCancelScheduledMessage(after(...scheduled, failed), first)).toEqual([cancelled]);
    for (const state of [after(), after(...scheduled, cancelled), after(...scheduled, triggered)]) {
      expect(refusal(() => decideCancelScheduledMessage(state, first))).toBe('noSuchScheduledMessage');
      expect(refusal(() => decideChangeScheduledMessage(state, later, now))).toBe('noSuchScheduledMessage');
    }
  });
});

describe('whom a changed message is for', () => {
  const direct: Recipient = { type: 'direct', userIds: [3, 7] };

  type Changes = Parameters<typeof readdressed>[0];

  it.each<readonly [string, Changes, { readonly before: Recipient; readonly after: Addressee }]>([
    ['nothing', {}, { before: recipient, after: { type: 'channel', channel: 1, topic: 'engines' } }],
    ['nothing but people', {}, { before: direct, after: { type: 'direct', people: [3, 7] } }],
    ['a topic', { topic: 'x' }, { before: recipient, after: { type: 'channel', channel: 1, topic: 'x' } }],
    [
      'another channel',
      { to: 2 },
      { before: recipient, after: { type: 'channel', channel: 2, topic: 'engines' } },
    ],
    ['other people', { to: [4] }, { before: direct, after: { type: 'direct', people: [4] } }],
    ['people', { type: 'direct', to: [4] }, { before: recipient, after: { type: 'direct', people: [4] } }],
    [
      'a channel',
      { type: 'stream', to: 2, topic: 'x' },
      { before: direct, after: { type: 'channel', channel: 2, topic: 'x' } },
    ],
  ])('with %s', (_what, changes, { before, after: expected }) => {
    expect(readdressed(changes, before)).toEqual(expected);
  });

  it('must be said with a new type, and a topic with a channel', () => {
    expect(refusal(() => readdressed({ type: 'direct' }, recipient))).toBe('scheduledRecipientRequired');
    for (const before of [direct, recipient]) {
      expect(refusal(() => readdressed({ type: 'stream', to: 2 }, before))).toBe('scheduledTopicRequired');
    }
    expect(refusal(() => readdressed({ to: 2 }, { ...direct, type: 'direct' }))).toBeNull();
  });
});

describe('the time of a scheduled message', () => {
  let stores: TemporaryStores;
  let time = now;
  let refused: Error | null = null;
  const clock = { now: () => time };

  beforeEach(async () => {
    stores = await openTemporaryStores();
    [time, refused] = [now, null];
    await stores.log.append({ stream, expected: 'no-stream' }, scheduled, {
      actorId: ada,
      commandId: '00000000-0000-4000-8000-000000000001',
      causationId: null,
      client: 'test',
      at: now,
    });
  });

  afterEach(() => stores.dispose());

  /** Like a process that has just started, whose read model still contains the message as waiting. */
  function starting(): { readonly job: DueScheduledMessages; readonly reactor: SendScheduledMessages } {
    const document = { ...planned, ...first, revision: 0, queuedAt: dueAt };
    const find = ({
      queuedAt,
    }: {
      readonly queuedAt: { readonly $lte: number };
    }): Promise<readonly unknown[]> => Promise.resolve(document.queuedAt <= queuedAt.$lte ? [document] : []);
    const findOne = (): Promise<unknown> => Promise.resolve(document);
    const reader = standIn<PersonalReader>({ scheduledMessages: () => Promise.resolve({ find, findOne }) });
    const { directory } = organization.snapshot();
    const follower = standIn<DirectoryFollower>({ current: () => directory });
    const compose = (): Promise<unknown> => {
      if (refused !== null) return Promise.reject(refused);
      const data = { senderId: ada, recipient, ...text, mentions, readBySender: true };
      return Promise.resolve({ event: { type: 'MessageSent', data } });
    };
    const composer = standIn<MessageComposer>({ compose });
    const log = new ConsistentLog(stores.log, []);
    const personal = new Decisions(new FoldedStreams(stores.log), follower, clock, log);
    return {
      job: new DueScheduledMessages(reader, personal, composer, clock),
      reactor: new SendScheduledMessages(personal, {} as NoticeSender, clock),
    };
  }

  const personalEvents = (): Promise<readonly RecordedEvent[]> =>
    stores.log.readStream(stream, { from: 0, limit: 10 });
  const types = async (): Promise<string[]> => (await personalEvents()).map(({ type }) => type);

  it('triggers it once, over however many starts', async () => {
    time = dueAt * 1000 - 1;
    await starting().job.perform();
    expect(await types()).toEqual(['MessageScheduled']);
    time = dueAt * 1000;
    await starting().job.perform();
    await starting().job.perform();
    const { job } = starting();
    await Promise.all([job.perform(), job.perform()]);
    expect(await types()).toEqual(['MessageScheduled', 'ScheduledMessageTriggered']);
  });

  it('sends it once, however often the event is read and although permissions have changed', async () => {
    time = dueAt * 1000;
    await starting().job.perform();
    const [, event] = await personalEvents();
    await starting().reactor.on['ScheduledMessageTriggered']!(event!);
    time += 60_000;
    refused = failure('invalidChannel');
    await starting().reactor.on['ScheduledMessageTriggered']!(event!);
    const messages = await stores.log.readStream(MESSAGES_STREAM, { from: 0, limit: 10 });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      data: { senderId: ada, recipient, ...text, mentions, readBySender: true },
      metadata: { actorId: ada, client: 'test', causationId: event!.id },
    });
  });

  it('fails it when its sender may not send it, and not when the server cannot', async () => {
    time = dueAt * 1000;
    refused = failure('unavailable');
    await expect(starting().job.perform()).rejects.toBe(refused);
    expect(await types()).toEqual(['MessageScheduled']);
    refused = failure('unknownChannelId', { stream_id: 1 });
    await starting().job.perform();
    await starting().job.perform();
    expect(await types()).toEqual(['MessageScheduled', 'ScheduledMessageFailed']);
  });
});
