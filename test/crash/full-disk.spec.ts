import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImpatientClient, type Answer, type ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { newDataDirectory, removeDataDirectory, withStoresOf } from './support/data-directory.js';
import { logFaults, readWholeLog, sentTexts } from './support/log-faults.js';
import { SmallDisk } from './support/small-disk.js';

/** Far more than a small disk takes: whoever asks in vain so often was never refused. */
const ENOUGH = 3_000;

const unavailable = {
  status: 503,
  body: {
    result: 'error',
    code: 'SERVICE_UNAVAILABLE',
    msg: 'The server cannot take this request now; try again',
  },
};

/** Sends messages, and keeps those that were acknowledged apart from those that were refused. */
class Sender {
  readonly acknowledged = new Map<number, string>();
  readonly refused: string[] = [];
  private count = 0;

  constructor(public client: ApiClient) {}

  /** @param characters that the message is filled up to */
  async send(characters: number): Promise<Answer> {
    this.count += 1;
    const text = `message ${this.count} `.padEnd(characters, 'x').trim();
    const answer = await this.client.post('messages', {
      type: 'channel',
      to: 'engines',
      topic: 'any',
      content: text,
    });
    if (answer.status === 200) this.acknowledged.set(answer.body['id'] as number, text);
    else this.refused.push(text);
    return answer;
  }

  /** Sends several at once, time and again, until one is refused; answers the refusal. */
  async sendUntilRefused(characters: number): Promise<Answer> {
    for (let sent = 0; sent < ENOUGH; sent += 4) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => this.send(characters)));
      const refusal = answers.find(({ status }) => status !== 200);
      if (refusal !== undefined) return refusal;
    }
    throw new Error('Nothing was refused');
  }

  /** What can be read of the acknowledged messages. */
  async readable(): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    const ids = [...this.acknowledged.keys()];
    for (let start = 0; start < ids.length; start += 100) {
      const message_ids = ids.slice(start, start + 100);
      const { messages } = await this.client.must('get', 'messages', { message_ids, apply_markdown: false });
      for (const { id, content } of messages as { id: number; content: string }[]) found.set(id, content);
    }
    return found;
  }
}

let directory: string;
let server: TestServer | undefined;
const disks: SmallDisk[] = [];

function mount(folder: string, megabytes: number): SmallDisk {
  const disk = SmallDisk.mount(folder, megabytes);
  disks.push(disk);
  return disk;
}

async function start(dataDirectory: string): Promise<TestServer> {
  server = await TestServer.start({ directory: dataDirectory, stores: ServerStores.embedded() });
  const owner = await server.owner();
  await owner.must('post', 'channels/create', { name: 'engines', subscribers: [] });
  return server;
}

async function ownerOf(running: TestServer): Promise<ApiClient> {
  return ImpatientClient.of(await running.owner());
}

async function expectLogToHold({ acknowledged, refused }: Sender, dataDirectory: string): Promise<void> {
  await withStoresOf(dataDirectory, async (stores) => {
    const log = await readWholeLog(stores);
    expect(logFaults(log)).toEqual([]);
    const texts = sentTexts(log);
    expect([...acknowledged].filter(([id, text]) => texts.get(id) !== text)).toEqual([]);
    const stored = new Set(texts.values());
    expect(refused.filter((text) => stored.has(text))).toEqual([]);
  });
}

const isPossible = SmallDisk.isPossible();
const reason = isPossible ? '' : ' (NOT RUN: needs Linux and the right to mount a tmpfs)';

(isPossible ? describe : describe.skip)(`A server whose disk is full${reason}`, () => {
  beforeEach(async () => {
    directory = await newDataDirectory();
  });

  afterEach(async () => {
    await server?.kill();
    for (const disk of disks.splice(0).reverse()) disk.unmount();
    await removeDataDirectory(directory);
  });

  it('does not start the first time, and says why in a sentence', async () => {
    const disk = mount(directory, 1);
    disk.fill();
    await expect(TestServer.start({ directory, stores: ServerStores.embedded() })).rejects.toThrow(
      /:\nThe disk of DATA_DIR is full: make room on it, and start again\n$/,
    );
  });

  it('refuses writes, still serves reads, loses nothing, and accepts writes again when there is space', async () => {
    const disk = mount(directory, 7);
    const running = await start(directory);
    const owner = await ownerOf(running);
    const sender = new Sender(owner);
    expect(await sender.sendUntilRefused(9_000)).toMatchObject(unavailable);
    const readable = await sender.readable();
    expect(readable.size).toBeGreaterThan(10);
    for (const [id, text] of readable) expect(sender.acknowledged.get(id)).toBe(text);
    disk.fill();
    expect(await sender.sendUntilRefused(9_000)).toMatchObject(unavailable);
    expect(await sender.readable()).toEqual(readable);

    disk.resize(64);
    await eventually(
      () => sender.send(100),
      ({ status }) => status === 200,
    );
    await eventually(
      () => sender.readable(),
      (found) => found.size === sender.acknowledged.size,
    );
    expect(await sender.readable()).toEqual(sender.acknowledged);
    await running.stop();
    expect(running.exitCode).toBe(0);
    await expectLogToHold(sender, directory);
  });

  it('can be restarted: it serves reads, refuses writes, stops in order, and works again when there is space', async () => {
    const [dataDirectory, folder] = [join(directory, 'data'), join(directory, 'models')];
    mkdirSync(dataDirectory);
    const disk = mount(folder, 8);
    symlinkSync(folder, join(dataDirectory, 'models'));
    const first = await start(dataDirectory);
    const sender = new Sender(await ownerOf(first));
    await sender.send(100);
    disk.fill();
    await sender.sendUntilRefused(9_000);
    await first.kill();
    disk.fill();

    const again = await TestServer.start({ directory: dataDirectory, stores: ServerStores.embedded() });
    server = again;
    sender.client = await ownerOf(again);
    expect(await sender.send(100)).toMatchObject(unavailable);
    expect((await sender.readable()).size).toBeGreaterThan(0);
    expect(await sender.client.post('messages/render', { content: 'hi' })).toMatchObject({ status: 200 });
    expect(await sender.client.post('register', {})).toMatchObject({ status: 200 });
    await again.stop();
    expect(again.exitCode).toBe(0);

    disk.empty();
    const last = await TestServer.start({ directory: dataDirectory, stores: ServerStores.embedded() });
    server = last;
    sender.client = await ownerOf(last);
    await eventually(
      () => sender.send(100),
      ({ status }) => status === 200,
    );
    expect(await sender.readable()).toEqual(sender.acknowledged);
  });

  it('does so whichever of its stores has no room', async () => {
    const on = (store: string): string => join(directory, 'disks', store);
    const dataDirectory = join(directory, 'data');
    mkdirSync(dataDirectory);
    const stores = {
      events: mount(on('events'), 8),
      keys: mount(on('keys'), 8),
      credentials: mount(on('credentials'), 8),
      models: mount(on('models'), 8),
    };
    for (const store of ['events', 'keys', 'credentials']) {
      symlinkSync(join(on(store), `${store}.sqlite`), join(dataDirectory, `${store}.sqlite`));
    }
    symlinkSync(on('models'), join(dataDirectory, 'models'));
    const running = await start(dataDirectory);
    const owner = await ownerOf(running);
    const sender = new Sender(owner);
    const person = { email: 'ada@example.com', password: 'correct horse', full_name: 'Ada' };
    await owner.must('post', 'users', person);
    const logIn = (): Promise<Answer> =>
      new ImpatientClient(running.site, null).post('fetch_api_key', {
        username: person.email,
        password: person.password,
      });
    await sender.send(100);

    for (const store of ['events', 'keys', 'models'] as const) {
      stores[store].fill();
      expect(await sender.sendUntilRefused(1_000)).toMatchObject(unavailable);
      expect((await owner.get('users/me')).status).toBe(200);
      expect((await sender.readable()).size).toBeGreaterThan(0);
      stores[store].empty();
      await eventually(
        () => sender.send(100),
        ({ status }) => status === 200,
      );
    }
    stores.credentials.fill();
    const refusal = await eventually(logIn, ({ status }) => status !== 200);
    expect(refusal).toMatchObject(unavailable);
    const other = { email: 'bo@example.com', password: 'correct horse', full_name: 'Bo' };
    expect(await owner.post('users', other)).toMatchObject(unavailable);
    expect((await owner.get('users/me')).status).toBe(200);
    stores.credentials.empty();
    expect(await logIn()).toMatchObject({ status: 200 });
    expect(await owner.post('users', other)).toMatchObject({ status: 200 });

    await eventually(
      () => sender.readable(),
      (found) => found.size === sender.acknowledged.size,
    );
    await running.stop();
    expect(running.exitCode).toBe(0);
    await expectLogToHold(sender, dataDirectory);
  });
});
