import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { ApiClient } from '../support/api-client.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { openStoppedServer } from '../support/stopped-server.js';

// The server starts twice.
let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let lab: number;

/** Ten kilobytes that would come to 58 megabytes of HTML. */
const table = `${'|'.repeat(2_000)}\n${'|'.repeat(2_000)}\n${'a\n'.repeat(2_899)}a`;
const plain = `<p>${table.replaceAll('\n', '<br>\n')}</p>`;
const refusal = { result: 'error', code: 'BAD_REQUEST', msg: 'Unable to render message' };

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-texts-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  lab = await owner.createChannel('lab', { principals: [adaId] });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

const toLab = { type: 'channel', to: 'lab', topic: 'tables' };

describe('A text that is too much to render', () => {
  it('is neither sent, nor rendered, nor taken for later', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    const later = { ...toLab, to: lab, content: table, scheduled_delivery_timestamp: inAnHour };
    expect((await ada.post('messages', { ...toLab, content: table })).body).toMatchObject(refusal);
    expect((await ada.post('messages/render', { content: table })).body).toMatchObject(refusal);
    expect((await ada.post('scheduled_messages', later)).body).toMatchObject(refusal);
  });

  it('replaces none that can be rendered', async () => {
    const { id } = await ada.must('post', 'messages', { ...toLab, content: 'short' });
    expect((await ada.patch(`messages/${id}`, { content: table })).body).toMatchObject(refusal);
    const { message } = await ada.must('get', `messages/${id}`);
    expect(message).toMatchObject({ content: '<p>short</p>' });
  });

  it('describes nothing', async () => {
    const description = `${'|'.repeat(250)}\n${'|'.repeat(250)}\n${'a\n'.repeat(200)}`;
    expect((await owner.patch('realm', { description })).body).toMatchObject(refusal);
    expect((await owner.post('channel_folders/create', { name: 'f', description })).body).toMatchObject(
      refusal,
    );
  });

  it('is shown as plain text where the log has it already', async () => {
    await server.stop();
    const recipient = { type: 'channel', channelId: lab, topic: 'tables' } as const;
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    const text = { content: table, references: {}, mentions };
    const data = { senderId: adaId, recipient, readBySender: false, ...text };
    const stopped = await openStoppedServer(directory, stores.environment);
    const { revision } = await stopped.log.append(
      { stream: 'messages', expected: 'any' },
      [{ type: 'MessageSent', data }],
      {
        actorId: adaId,
        commandId: randomCommandId(),
        causationId: null,
        client: 'test',
        at: Date.now(),
      },
    );
    await stopped.close();
    server = await TestServer.start({ stores, directory });
    [owner, ada] = [await server.owner(), ada.at(server.site)];
    const { message } = await ada.must('get', `messages/${revision + 1}`);
    expect(message).toMatchObject({ content: plain });
    await ada.must('post', 'messages', { ...toLab, content: 'and on it goes' });
  });
});
