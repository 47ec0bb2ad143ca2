import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { DecodedPage } from '../../projections/engine/decoded-pages.js';
import { EventApplier } from '../../projections/engine/event-applier.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { AtomicModelWriter, type ModelWriter } from '../../projections/engine/model-writer.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { referencesTo, referredTo } from '../../src/contexts/messages/message-lookups.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageEvent } from '../../src/events/messages.js';
import type { UploadEvent } from '../../src/events/uploads.js';
import { budgets } from '../../src/kernel/budgets.js';
import { ReadStoreUnavailableError, type ModelStore } from '../../src/stores/read-store/port.js';
import { metadataOf } from '../support/given.js';
import { rebuildModel } from '../support/rebuild-model.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

const ada = 5;
const storageName = `1/ab/${'c'.repeat(38)}`;
const address = `/user_uploads/${storageName}/cat.png`;
const image = { contentType: 'image/png', width: 640, height: 480, isAnimated: false, isTranscoded: false };

const uploaded = {
  type: 'FileUploaded',
  data: {
    uploadId: 1,
    uploaderId: ada,
    storageName,
    contentKey: 'key',
    name: 'cat.png',
    contentType: 'image/png',
    size: 7,
  },
} as const;
const examined = { type: 'UploadImageExamined', data: { uploadId: 1, image } } as const;
const deleted = { type: 'UploadDeleted', data: { uploadId: 1, uploaderId: ada, storageName } } as const;

const placeholder = `<p><img alt="cat" class="inline-image image-loading-placeholder" data-original-content-type="image/png" data-original-src="${address}" src="/static/images/loading/loader-black.svg"></p>`;
const shown = `<p><img alt="cat" class="inline-image" data-original-content-type="image/png" data-original-dimensions="640x480" data-original-src="${address}" src="/user_uploads/thumbnail/${storageName}/cat.png/840x560.webp"></p>`;

async function happens(stream: string, event: MessageEvent | UploadEvent): Promise<void> {
  await stores.log.append({ stream, expected: 'any' }, [event], metadataOf(ada));
}

const upload = (event: UploadEvent): Promise<void> => happens('uploads', event);

async function says(content: string): Promise<void> {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId: 1, topic: 'cats' } as const;
  const text = { content, references: { uploads: [1] }, mentions, readBySender: false };
  await happens('messages', { type: 'MessageSent', data: { senderId: ada, recipient, ...text } });
}

async function rebuilt(): Promise<ModelStore> {
  const options = { processName: 'test', logger: silentLogger, signal: new AbortController().signal };
  return (await rebuildModel(stores, messagesProjection, options)).model;
}

async function messages(): Promise<readonly MessageDocument[]> {
  return (await rebuilt()).collection<MessageDocument>('messages').find({}, { sort: { _id: 1 } });
}

it('A message shows a place for an image until somebody has looked into it, then its thumbnail', async () => {
  await upload(uploaded);
  await says(`![cat](${address})`);
  expect(await messages()).toMatchObject([{ html: placeholder, hasImage: true, changes: 1 }]);
  await upload(examined);
  await says(`![cat](${address})`);
  expect(await messages()).toMatchObject([
    { html: shown, changes: 2, pendingReferences: null },
    { html: shown, changes: 1, pendingReferences: null },
  ]);
});

it('A message only names an image that cannot be shown, or was deleted before anybody looked', async () => {
  for (const outcome of [
    { type: 'UploadImageExamined', data: { uploadId: 1, image: null } },
    deleted,
  ] as const) {
    await stores.dispose();
    stores = await openTemporaryStores();
    await upload(uploaded);
    await says(`[cat](${address})`);
    await upload(outcome);
    expect(await messages()).toMatchObject([
      {
        html: `<p><a href="${address}">cat</a></p>`,
        hasImage: false,
        hasLink: true,
        pendingReferences: null,
      },
    ]);
  }
});

it('Of the messages that refer to an upload, the newest are named', async () => {
  const { max } = budgets.referencesOfEvent;
  await upload(uploaded);
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId: 1, topic: 'cats' } as const;
  const said = { senderId: ada, recipient, content: address, mentions, readBySender: false };
  const sent = { type: 'MessageSent', data: { ...said, references: { uploads: [1] } } } as const;
  const other = { type: 'MessageSent', data: { ...said, references: { uploads: [2] } } } as const;
  const all = [other, ...Array.from({ length: max + 1 }, () => sent)];
  await stores.log.append({ stream: 'messages', expected: 'any' }, all, metadataOf(ada));
  const model = await rebuilt();
  const named = (await referencesTo(model, [1, 3], max)).get(1)!;
  expect([named.length, named[0], named.at(-1)]).toEqual([max, 3, max + 2]);
  const newest = await referencesTo(model, [1, 2, 3], 2);
  expect([...newest]).toEqual([
    [1, [max + 1, max + 2]],
    [2, []],
    [3, []],
  ]);
  expect(await referredTo(model, [1, 2, 3])).toEqual(new Set([1, 2]));
});

/** Applies the last event of the uploads to a model. @returns the numbers of changes in each commit, and where the model stands after it */
async function appliesLastUpload(
  model: ModelStore,
  { commits }: { readonly commits: number },
): Promise<readonly (readonly [changes: number, position: number])[]> {
  const stored = new AtomicModelWriter({ model, fencingToken: 1_000 });
  const committed: (readonly [number, number])[] = [];
  const writer: ModelWriter = {
    recover: () => stored.recover(),
    collection: (name) => stored.collection(name),
    commit: async (set) => {
      if (committed.length === commits) throw new ReadStoreUnavailableError('No room');
      await stored.commit(set);
      committed.push([set.changes.length, set.position]);
    },
  };
  const limits = { events: 100, backgroundEvents: 20, characters: 1_000_000 };
  const applier = await EventApplier.open({ projection: messagesProjection, model, writer, limits });
  const events = (await stores.log.readStream('uploads', { from: 0, limit: 10 })).slice(-1);
  const page: DecodedPage = { events, poison: null, position: events[0]!.position, live: true };
  await applier.apply(page, new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof ReadStoreUnavailableError)) throw error;
  });
  return committed;
}

it('However many messages show an image, they are rendered again a part at a time, also after an interruption', async () => {
  await upload(uploaded);
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const recipient = { type: 'channel', channelId: 1, topic: 'cats' } as const;
  const text = { content: `![cat](${address})`, references: { uploads: [1] }, mentions, readBySender: false };
  const sent = { type: 'MessageSent', data: { senderId: ada, recipient, ...text } } as const;
  const count = 450;
  await stores.log.append({ stream: 'messages', expected: 'any' }, many(count, sent), metadataOf(ada));
  const model = await rebuilt();
  const { position: before } = await model.checkpoint();
  await upload(examined);
  const { position: after } = (await stores.log.readStream('uploads', { from: 1, limit: 1 }))[0]!;
  expect(await appliesLastUpload(model, { commits: 1 })).toEqual([[200, before]]);
  const waiting = { html: placeholder };
  expect(await model.collection('messages').countDocuments(waiting)).toBe(count - 200);
  expect(await appliesLastUpload(model, { commits: 9 })).toEqual([
    [200, before],
    [51, after],
  ]);
  const all = await model.collection<MessageDocument>('messages').find({});
  expect(all).toHaveLength(count);
  for (const one of all) expect(one).toMatchObject({ html: shown, changes: 2, pendingReferences: null });
});

const many = <Content>(length: number, content: Content): Content[] => Array.from({ length }, () => content);
