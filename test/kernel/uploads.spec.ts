import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { decideDeleteUpload, decideUploadFile } from '../../src/contexts/uploads/uploads.decide.js';
import type { UploadEvent } from '../../src/events/uploads.js';
import { safeFileName, shortName, uploadNameOf } from '../../src/contexts/uploads/upload-path.js';
import { UploadQuota } from '../../src/contexts/uploads/upload-quota.js';
import { uploadsFold, UPLOADS_STREAM, type Uploads } from '../../src/contexts/uploads/uploads.state.js';
import { GetAttachments, GetAttachmentsHandler } from '../../src/contexts/uploads/queries/uploads.js';
import type { UploadReader } from '../../src/contexts/uploads/upload-reader.js';
import type { UploadReferences } from '../../src/contexts/uploads/upload-references.js';
import type { Caller } from '../../src/http/caller.js';
import { standIn } from '../support/stand-in.js';
import { refusal, TestLog } from '../support/given.js';

const file = {
  name: 'note.txt',
  contentType: 'text/plain',
  stored: { name: '1/ab/cd', contentKey: 'key', size: 7 },
};

const quota = new UploadQuota(budgets.uploadMebibytes.max, budgets.uploadMebibytesOfPerson.max);

function by(userId: number, mebibytes: Partial<UploadQuota> = {}): { userId: number; quota: UploadQuota } {
  return { userId, quota: { ...quota, ...mebibytes } };
}

function after(...events: readonly UploadEvent[]): Uploads {
  const log = new TestLog();
  log.append(UPLOADS_STREAM, events);
  return log.fold(uploadsFold, UPLOADS_STREAM);
}

describe('uploads', () => {
  const [uploaded] = decideUploadFile(after(), file, by(3));

  it('have ids that increase with the log', () => {
    expect(uploaded!.data).toEqual({
      uploadId: 1,
      uploaderId: 3,
      storageName: '1/ab/cd',
      contentKey: 'key',
      name: 'note.txt',
      contentType: 'text/plain',
      size: 7,
    });
    const [second] = decideUploadFile(after(uploaded!), file, by(4));
    expect(second!.data.uploadId).toBe(2);
  });

  it('are deleted by their uploader, once', () => {
    const state = after(uploaded!);
    const events = decideDeleteUpload(state, { userId: 3, uploadId: 1 });
    expect(events).toEqual([
      { type: 'UploadDeleted', data: { uploadId: 1, uploaderId: 3, storageName: '1/ab/cd' } },
    ]);
    const gone = after(uploaded!, ...events);
    expect(refusal(() => decideDeleteUpload(gone, { userId: 3, uploadId: 1 }))).toBe('invalidAttachment');
  });

  it('are not deleted by anybody else', () => {
    expect(refusal(() => decideDeleteUpload(after(uploaded!), { userId: 4, uploadId: 1 }))).toBe(
      'invalidAttachment',
    );
  });
});

describe('a quota of uploads', () => {
  const mebibyte = 1_048_576;
  const ofSize = (size: number) => ({ ...file, stored: { ...file.stored, size } });

  function uploads(...sizes: readonly (readonly [userId: number, size: number])[]): Uploads {
    const log = new TestLog();
    for (const [userId, size] of sizes) {
      const state = log.fold(uploadsFold, UPLOADS_STREAM);
      log.append(UPLOADS_STREAM, decideUploadFile(state, ofSize(size), by(userId)));
    }
    return log.fold(uploadsFold, UPLOADS_STREAM);
  }

  function refused(state: Uploads, size: number, who: ReturnType<typeof by>): string | null {
    return refusal(() => decideUploadFile(state, ofSize(size), who));
  }

  it('is one of a person and one of everybody, to the byte', () => {
    const state = uploads([3, mebibyte], [4, mebibyte]);
    const own = { mebibytesOfPerson: 2 };
    expect(refused(state, mebibyte, by(3, own))).toBeNull();
    expect(refused(state, mebibyte + 1, by(3, own))).toBe('personUploadQuota');
    expect(refused(state, mebibyte, by(5, { mebibytes: 3 }))).toBeNull();
    expect(refused(state, mebibyte + 1, by(5, { mebibytes: 3 }))).toBe('uploadQuota');
  });

  it('has space again when a file is deleted', () => {
    const [uploaded] = decideUploadFile(after(), ofSize(mebibyte), by(3));
    const deleted = decideDeleteUpload(after(uploaded!), { userId: 3, uploadId: 1 });
    const own = by(3, { mebibytesOfPerson: 1 });
    expect(refused(after(uploaded!), 1, own)).toBe('personUploadQuota');
    expect(refused(after(uploaded!, ...deleted), mebibyte, own)).toBeNull();
  });

  it('counts files too', () => {
    const some = uploads([3, 1]);
    const withFiles = (files: number): Uploads => ({
      ...some,
      spaceByUploader: some.spaceByUploader.set(3, { files, bytes: 1 }),
    });
    expect(refused(withFiles(budgets.uploadsOfPerson.max - 1), 1, by(3))).toBeNull();
    expect(refused(withFiles(budgets.uploadsOfPerson.max), 1, by(3))).toBe('tooManyUploads');
  });
});

describe('the name of an upload', () => {
  const { max } = budgets.uploadName;

  it.each([
    ['a'.repeat(max), 'a'.repeat(max)],
    ['a'.repeat(max + 1), 'a'.repeat(max)],
    [`${'a'.repeat(90_000)}.tar.gz`, `${'a'.repeat(max - 3)}.gz`],
    ['😀'.repeat(max), '😀'.repeat(max)],
    [`a${'😀'.repeat(max)}`, `a${'😀'.repeat(max - 1)}`],
    [`${'😀'.repeat(max)}.😀`, `${'😀'.repeat(max - 2)}.😀`],
    [`a.${'b'.repeat(max)}`, `a.${'b'.repeat(max - 2)}`],
    [` ${'a'.repeat(max - 4)}.txt `, `${'a'.repeat(max - 4)}.txt`],
    ['   ', 'uploaded-file'],
  ])('has a limit, and keeps its extension', (given, kept) => {
    expect(uploadNameOf(given)).toBe(kept);
    expect(shortName(kept)).toBe(kept);
  });

  it('has its limit wherever it comes from, such as an unfinished upload of an earlier version', () => {
    const [event] = decideUploadFile(after(), { ...file, name: `${'a'.repeat(max)}.txt` }, by(3));
    expect(event!.data.name).toBe(`${'a'.repeat(max - 4)}.txt`);
  });

  it('of any length takes little time to turn into a URL', () => {
    const longAgo = `a${'\u0301\u0316'.repeat(50_000)}.txt`;
    const since = performance.now();
    expect(safeFileName(longAgo)).toBe('.txt');
    expect(performance.now() - since).toBeLessThan(100);
  });

  it('that is longer than today’s limit has the same URL as before there was one', () => {
    expect(safeFileName(`${'é a'.repeat(1_000)}.txt`)).toBe(`${'é-a'.repeat(66).slice(-196)}.txt`);
  });
});

it('The list of uploads names a maximum number of messages', async () => {
  const limits: number[] = [];
  const uploads = standIn<UploadReader>({
    ofUploader: () => Promise.resolve([{ ...file, _id: 7, storageName: '1/ab/cd', size: 7, createdAt: 1 }]),
    spaceUsed: () => Promise.resolve(7),
  });
  const references = standIn<UploadReferences>({
    referencesTo: ([id]: readonly number[], limit: number) => {
      limits.push(limit);
      return Promise.resolve(new Map([[id, [3, 4]]]));
    },
  });
  const query = new GetAttachments(standIn<Caller>({ userId: 3 }));
  const { attachments } = await new GetAttachmentsHandler(uploads, references).execute(query);
  expect(attachments).toMatchObject([{ id: 7, name: 'note.txt', message_ids: [3, 4] }]);
  expect(limits).toEqual([budgets.referencesListed.max]);
});
