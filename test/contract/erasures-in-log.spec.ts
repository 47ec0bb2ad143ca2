import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { erasuresAfter } from '../../src/operations/backup/erasures-in-log.js';
import type { JsonObject } from '../../src/kernel/json.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});

afterEach(() => stores.dispose());

/** Appends an event. @returns the time that stands for it in the list of erasures */
async function record(stream: string, type: string, data: JsonObject): Promise<number> {
  const { eventStore } = stores;
  const revision = (await eventStore.readStream(stream, { limit: 100 })).length;
  const at = ((await eventStore.head()) ?? 0) + 1000;
  const event = { id: randomUUID(), type, data, metadata: { at } };
  await eventStore.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event]);
  return at;
}

async function erasedAt(position = 0): Promise<readonly number[]> {
  return (await erasuresAfter(stores.eventStore, position)).map(({ at }) => at);
}

const changePolicy = (policy: string): Promise<number> =>
  record('organization', 'OrganizationSettingsChanged', { settings: { message_erasure_policy: policy } });

it('erasures are those of messages, people, files and security records', async () => {
  const expected = [
    await record('erasures', 'MessageErased', { messageId: 1, key: 'a' }),
    await record('erasures', 'PersonErased', { userId: 3 }),
    await record('uploads', 'UploadDeleted', { uploadId: 1, uploaderId: 3, storageName: 'x' }),
    await record('erasures', 'SecurityRecordsErased', { last: { stream: 's', revision: 1 }, count: 2 }),
  ];
  await record('erasures', 'SecurityRecordsErased', { last: { stream: 's', revision: 9 }, count: 0 });
  await record('user-3', 'DraftCreated', { userId: 3 });
  expect(await erasedAt()).toEqual(expected);
});

it('a deleted draft, snippet, reminder or scheduled message is one while the policy is to erase', async () => {
  await record('organization', 'OrganizationCreated', { settings: { message_erasure_policy: 'keep' } });
  await record('user-3', 'DraftDeleted', { userId: 3, draftId: 1 });
  await changePolicy('erase');
  const expected = [
    await record('user-3', 'DraftDeleted', { userId: 3, draftId: 2 }),
    await record('user-3', 'DraftsDiscarded', { userId: 3, draftIds: [3] }),
    await record('user-3', 'SavedSnippetDeleted', { userId: 3, snippetId: 4 }),
    await record('user-3', 'ReminderCancelled', { userId: 3, reminderId: 5 }),
    await record('user-3', 'ScheduledMessageCancelled', { userId: 3, scheduledId: 6 }),
  ];
  const position = (await stores.eventStore.head())!;
  expected.push(await record('user-3', 'DraftDeleted', { userId: 3, draftId: 7 }));
  await changePolicy('keep');
  await record('user-3', 'DraftDeleted', { userId: 3, draftId: 8 });
  expect(await erasedAt()).toEqual(expected);
  expect(await erasedAt(position)).toEqual(expected.slice(-1));
});

it('what a legal hold keeps is one when it is destroyed', async () => {
  await record('uploads', 'UploadDeleted', { uploadId: 1, uploaderId: 3, storageName: 'x' });
  await record('erasures', 'BelongingErasureDeferred', { stream: 'uploads', revision: 0, caseIds: [1] });
  expect(await erasedAt()).toEqual([]);
  const at = await record('erasures', 'BelongingErased', { stream: 'uploads', revision: 0 });
  expect(await erasedAt()).toEqual([at]);
});
