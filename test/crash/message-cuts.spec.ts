import { attentionOf } from '../../src/contexts/attention/attention.state.js';
import { describe, expect, it } from '@jest/globals';
import { CreateChannel, CreateChannelHandler } from '../../src/contexts/channels/commands/channels.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { EditMessage } from '../../src/contexts/messages/commands/edit-message.js';
import type { EditRequest } from '../../src/contexts/messages/edits.decide.js';
import { SendMessage } from '../../src/contexts/messages/commands/send-message.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { owner } from '../support/people-node.js';
import { cutProcessesEverywhere, type Scenario } from './support/cut-everywhere.js';
import { readWholeLog } from './support/log-faults.js';
import { MessagesProcess } from './support/messages-process.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';

/** Cuts commands on messages off before each of their durable writes; see `cutEverywhere`. */
function cutEverywhere<Given>(
  scenario: Scenario<Given, MessagesProcess>,
  clock = new SystemClock(),
): Promise<readonly string[]> {
  return cutProcessesEverywhere((stores) => MessagesProcess.start(stores, clock), scenario);
}

interface Lab {
  readonly channelId: number;
  readonly bo: number;
  readonly messageId: number;
}

/** A channel of the owner's and Bo's in which the owner said something, which Bo follows. */
async function lab(process: MessagesProcess, messageRetentionDays: number | null = null): Promise<Lab> {
  const { node, decisions } = process;
  const bo = await node.people.createUser('bo@example.com');
  const settings = { ...defaultChannelSettings, messageRetentionDays };
  const subscriberIds = [owner.userId, bo];
  const request = { name: 'lab', description: '', subscriberIds, settings, announce: false };
  const creating = new CreateChannelHandler(decisions, node.principals);
  const channelId = await creating.execute(new CreateChannel(owner, request));
  await process.untilReactorsPassed();
  const messageId = await send(process, channelId, 'looms');
  await decisions.decide({ ...owner, userId: bo }, attentionOf(bo), () => [
    { type: 'TopicVisibilityChanged', data: { userId: bo, channelId, topic: 'looms', policy: 3 } },
  ]);
  return { channelId, bo, messageId };
}

async function send({ sending }: MessagesProcess, channelId: number, topic: string): Promise<number> {
  const to = { type: 'channel', channel: channelId, topic } as const;
  const request = { to, content: 'x', readBySender: true, localEcho: null };
  return (await sending.execute(new SendMessage(owner, request))).id;
}

function edit(
  { editing }: MessagesProcess,
  messageId: number,
  change: Partial<EditRequest>,
): Promise<unknown> {
  const request: EditRequest = {
    content: undefined,
    previousContentSha256: undefined,
    topic: undefined,
    channelId: undefined,
    mode: 'change_all',
    notify: { oldThread: true, newThread: true },
    ...change,
  };
  return editing.execute(new EditMessage(owner, messageId, request));
}

async function eventsOf(
  { node }: MessagesProcess,
  ...types: readonly string[]
): Promise<readonly RecordedEvent[]> {
  return (await readWholeLog(node.stores)).events.filter(({ type }) => types.includes(type));
}

async function messages({ messages: reader }: MessagesProcess): Promise<readonly MessageDocument[]> {
  const model = await reader.model();
  return model.collection<MessageDocument>('messages').find({}, { sort: { _id: 1 } });
}

/** What was said in a topic: the channel's own notices are elsewhere. */
async function saidIn(process: MessagesProcess, topic: string): Promise<readonly string[]> {
  return (await messages(process)).filter((message) => message.topic === topic).map(({ content }) => content);
}

/** Topics that Bo follows. */
async function followed(process: MessagesProcess, { bo }: Lab): Promise<readonly string[]> {
  const { topics } = await process.decisions.load(attentionOf(bo));
  return topics.filter(({ policy }) => policy === 3).map(({ topic }) => topic);
}

describe('Cut off before any of its durable writes,', () => {
  it('an edit of text and topic is done as a whole or not at all, and told once', async () => {
    const writes = await cutEverywhere<Lab>({
      given: (process) => lab(process),
      when: (process, { messageId }) => edit(process, messageId, { content: 'y', topic: 'weaving' }),
      then: async (process, given, cut) => {
        const isDone = (await eventsOf(process, 'MessageEdited')).length === 1;
        if (cut === null) expect(isDone).toBe(true);
        expect(await eventsOf(process, 'MessagesMoved')).toHaveLength(isDone ? 1 : 0);
        const [here, there] = [await saidIn(process, 'weaving'), await saidIn(process, 'looms')];
        const told = expect.stringContaining('This topic was moved');
        expect([here, there]).toEqual(isDone ? [['y', told], [told]] : [[], ['x']]);
        expect(await followed(process, given)).toEqual([isDone ? 'weaving' : 'looms']);
        // Bo's own policy, the owner's for what they started, and two of each for the move.
        expect(await eventsOf(process, 'TopicVisibilityChanged')).toHaveLength(isDone ? 6 : 2);
      },
    });
    // The edit, the move, the policies of two people, two notices.
    expect(writes.filter((write) => write === 'append')).toHaveLength(6);
  });

  it('a mark that is taken away takes its notice back, once', async () => {
    await cutEverywhere<Lab>({
      given: async (process) => {
        const given = await lab(process);
        await edit(process, given.messageId, { topic: '✔ looms' });
        await process.untilReactorsPassed();
        expect(await saidIn(process, '✔ looms')).toHaveLength(2);
        return given;
      },
      when: (process, { messageId }) => edit(process, messageId, { topic: 'looms' }),
      then: async (process) => {
        const isDone = (await eventsOf(process, 'TopicUnresolved')).length === 1;
        expect(await eventsOf(process, 'MessageDeleted')).toHaveLength(isDone ? 1 : 0);
        expect(await saidIn(process, 'looms')).toEqual(isDone ? ['x'] : []);
        expect(await saidIn(process, '✔ looms')).toHaveLength(isDone ? 0 : 2);
      },
    });
  });

  it('the start of a topic makes its author follow it, once', async () => {
    const writes = await cutEverywhere<Lab>({
      given: (process) => lab(process),
      when: (process, { channelId }) => send(process, channelId, 'weaving'),
      then: async (process, given) => {
        const isSent = (await saidIn(process, 'weaving')).length === 1;
        const changes = await eventsOf(process, 'TopicVisibilityChanged');
        const own = changes.filter(({ data }) => (data as { topic: string }).topic === 'weaving');
        expect(own.map(({ data }) => data)).toEqual(
          isSent ? [{ userId: owner.userId, channelId: given.channelId, topic: 'weaving', policy: 3 }] : [],
        );
      },
    });
    expect(writes.filter((write) => write === 'append')).toHaveLength(2);
  });

  it('the deletion of expired messages is completed later, each message once', async () => {
    const clock = new MovableClock();
    const writes = await cutEverywhere<Lab>(
      {
        given: async (process) => {
          clock.days = 0;
          const given = await lab(process, 3);
          await send(process, given.channelId, 'looms');
          clock.days = 2;
          await send(process, given.channelId, 'looms');
          await process.expired.perform();
          expect(await eventsOf(process, 'MessageDeleted')).toEqual([]);
          clock.days = 4;
          return given;
        },
        when: (process) => process.expired.perform(),
        then: async (process) => {
          await process.expired.perform();
          await process.untilReactorsPassed();
          await process.expired.perform();
          expect(await saidIn(process, 'looms')).toEqual(['x']);
          const deleted = (await eventsOf(process, 'MessageDeleted')).map(({ stream }) => stream);
          expect(new Set(deleted).size).toBe(deleted.length);
          // With what the channel was told of its own creation.
          expect(deleted).toHaveLength(3);
        },
      },
      clock,
    );
    expect(writes.filter((write) => write === 'append')).toHaveLength(3);
  });
});

class MovableClock extends SystemClock {
  days = 0;

  override now(): number {
    return super.now() + this.days * 86_400_000;
  }
}
