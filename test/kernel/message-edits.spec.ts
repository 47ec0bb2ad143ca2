import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { EditMessage, EditMessageHandler } from '../../src/contexts/messages/commands/edit-message.js';
import { MessageChanges } from '../../src/contexts/messages/message-changes.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageMoves } from '../../src/contexts/messages/message-moves.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import type { Reading } from '../../src/contexts/messages/reading.js';
import { MessageSent } from '../../src/events/messages.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { UploadAccess } from '../../src/contexts/messages/upload-access.js';
import { createChannel } from '../support/channels.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

it('an edit looks once where its message lies, and once at each stream that it depends on', async () => {
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
  const context: Partial<Reading['context']> = {
    moment: organization.moment(),
    user: organization.user(ada),
  };
  const reading: Partial<Reading> = { context: context as Reading['context'], locate };
  const reader: Partial<MessageReader> = {
    open: async () => reading as Reading,
    participantsIn: async () => [],
    linkedTopics: async () => new Map(),
  };
  const uploads: Partial<UploadAccess> = { namedIn: async () => new Map(), unreferenced: async () => [] };
  const moves: Partial<MessageMoves> = { factsFor: async () => null, finish: async () => undefined };
  const changes = new MessageChanges(
    reader as MessageReader,
    stores.log,
    new FoldedStreams(stores.log),
    uploads as UploadAccess,
  );
  const handler = new EditMessageHandler(changes, moves as MessageMoves, uploads as UploadAccess);
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
  for (const content of ['Better said.', 'Best said.']) {
    reads.mockClear();
    locate.mockClear();
    await edit(content);
    expect(reads.mock.calls.map(([stream]) => stream)).toEqual(['messages', 'message-1']);
    expect(locate).toHaveBeenCalledTimes(1);
  }
  const edits = await stores.log.readStream('message-1', { limit: 10 });
  expect(edits).toMatchObject([{ data: { content: 'Better said.' } }, { data: { content: 'Best said.' } }]);
});
