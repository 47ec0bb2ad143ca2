import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { EditMessage, EditMessageHandler } from '../../src/contexts/messages/commands/edit-message.js';
import { MessageDecisions } from '../../src/contexts/messages/message-decisions.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageMoves } from '../../src/contexts/messages/moves/message-moves.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import type { QuerySession } from '../../src/contexts/messages/query-session.js';
import { MessageSent } from '../../src/events/messages.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { UploadAccess } from '../../src/contexts/uploads/upload-access.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { CreateChannel, CreateChannelHandler } from '../../src/contexts/channels/commands/channels.js';
import { SendMessage } from '../../src/contexts/messages/commands/send-message.js';
import { MessagesProcess } from '../crash/support/messages-process.js';
import { countingEventStore, type Asked } from '../support/counting-event-store.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';
import { owner } from '../support/people-node.js';
import { decisionsOver } from '../support/decisions-over.js';
import { createChannel } from '../support/channels.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

it('an edit looks up the place of its message once, and reads each stream that it depends on at most once', async () => {
  const organization = new TestOrganization();
  const ada = organization.register();
  const channelId = createChannel(organization, [ada]);
  const data = {
    ...MessageSent.example,
    senderId: ada,
    recipient: { type: 'channel', channelId, topic: 'notes' },
  };
  const metadata = {
    actorId: ada,
    commandId: randomCommandId(),
    causationId: null,
    client: 'tests',
    at: atTheTime,
  };
  await stores.log.append({ stream: 'messages', expected: 'any' }, [{ type: 'MessageSent', data }], metadata);

  const place: Partial<MessageDocument> = { _id: 1, channelId, topic: 'notes', senderId: ada, uploadIds: [] };
  const locate = jest.fn(async () => place as MessageDocument);
  const context: Partial<QuerySession['context']> = {
    snapshot: organization.snapshot(),
    user: organization.user(ada),
  };
  const session: Partial<QuerySession> = {
    context: context as QuerySession['context'],
    locate,
    topics: async () => [],
  };
  const reader: Partial<MessageReader> = {
    open: async () => session as QuerySession,
    participantsIn: async () => [],
  };
  const uploads: Partial<UploadAccess> = { namedIn: async () => new Map(), unreferenced: async () => [] };
  const moves: Partial<MessageMoves> = { factsFor: async () => null, finish: async () => undefined };
  const decisions = decisionsOver(new FoldedStreams(stores.log));
  const handler = new EditMessageHandler(
    reader as MessageReader,
    new MessageDecisions(reader as MessageReader, stores.log, decisions),
    moves as MessageMoves,
    uploads as UploadAccess,
  );
  const reads = jest.spyOn(stores.log, 'readStream');

  const request = {
    topic: undefined,
    channelId: undefined,
    mode: 'change_one',
    previousContentSha256: undefined,
  };
  const caller = { userId: ada, client: 'tests', requestId: 'one' };
  const edit = (content: string): Promise<unknown> =>
    handler.execute(new EditMessage(caller, 1, { ...request, content } as EditMessage['request']));
  const edits = [
    { content: 'Better said.', read: ['messages', 'message-1'] },
    // The process does not have to read events that it appended itself.
    { content: 'Best said.', read: [] },
  ];
  for (const { content, read } of edits) {
    reads.mockClear();
    locate.mockClear();
    await edit(content);
    expect(reads.mock.calls.map(([stream]) => stream)).toEqual(read);
    expect(locate).toHaveBeenCalledTimes(1);
  }
  const recorded = await stores.log.readStream('message-1', { limit: 10 });
  expect(recorded).toMatchObject([
    { data: { content: 'Better said.' } },
    { data: { content: 'Best said.' } },
  ]);
});

describe('What an edit asks of the event store, in a process that has read nothing yet:', () => {
  let process: MessagesProcess;
  let lab: number;
  let loft: number;
  beforeEach(async () => {
    process = await MessagesProcess.start(stores, new SystemClock());
    lab = await channel('lab');
    loft = await channel('loft');
    await process.untilReactorsPassed();
  });
  afterEach(() => process.stop());

  function channel(name: string): Promise<number> {
    const creating = new CreateChannelHandler(process.decisions, process.node.principals);
    const settings = defaultChannelSettings;
    const request = { name, description: '', subscriberIds: [owner.userId], settings, announce: false };
    return creating.execute(new CreateChannel(owner, request));
  }

  async function send(): Promise<number> {
    const to = { type: 'channel', channel: lab, topic: 'looms' } as const;
    const sent = new SendMessage(owner, { to, content: 'x', readBySender: true, localEcho: null });
    const { id } = await process.sending.execute(sent);
    await process.untilReactorsPassed();
    return id;
  }

  async function askedBy(change: Partial<EditMessage['request']>, to?: number): Promise<Asked> {
    const id = to ?? (await send());
    const { store, asked } = countingEventStore(process.node.stores.eventStore);
    const request: EditMessage['request'] = {
      content: undefined,
      previousContentSha256: undefined,
      topic: undefined,
      channelId: undefined,
      mode: 'change_one',
      notify: { oldThread: false, newThread: false },
      ...change,
    };
    await process.editingOn(store).execute(new EditMessage(owner, id, request));
    const named = (stream: string): string => stream.replace(`message-${id}`, 'message');
    return { reads: asked.reads.map(named), appends: asked.appends.map(named) };
  }

  it('another text is two reads and one append', async () => {
    expect(await askedBy({ content: 'y' })).toEqual({ reads: ['messages', 'message'], appends: ['message'] });
  });

  it('another topic is two reads and one append', async () => {
    const stream = `channel-${lab}`;
    const asked = { reads: [stream, 'message'], appends: [stream] };
    expect(await askedBy({ topic: 'weaving' })).toEqual(asked);
    expect(await askedBy({ topic: 'weaving' })).toEqual(asked);
  });

  it('another channel also reads where it goes to', async () => {
    const { reads, appends } = await askedBy({ channelId: loft });
    expect(reads.sort()).toEqual([`channel-${lab}`, `channel-${loft}`, 'message'].sort());
    expect(appends).toEqual([`channel-${lab}`]);
  });

  it('another place of a text that the client names also reads what was sent', async () => {
    const previousContentSha256 = hash('sha256', 'x');
    const { reads, appends } = await askedBy({ topic: 'weaving', previousContentSha256 });
    expect(reads).toEqual([`channel-${lab}`, 'messages', 'message']);
    expect(appends).toEqual([`channel-${lab}`]);
  });

  it('another text and topic are one decision, which the move follows in its own stream', async () => {
    const stream = `channel-${lab}`;
    const id = await send();
    // One of them may be faster than the command in finishing the move.
    await process.stopReactors();
    expect(await askedBy({ content: 'y', topic: 'weaving' }, id)).toEqual({
      reads: ['messages', 'message', stream],
      appends: ['message', stream],
    });
  });
});
