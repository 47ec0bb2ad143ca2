import { describe, expect, it } from '@jest/globals';
import { decideDeleteUpload } from '../../src/uploads/commands/delete-upload.js';
import { decideUploadFile } from '../../src/uploads/commands/upload-file.js';
import type { UploadEvent } from '../../src/uploads/events.js';
import { uploadsFold, uploadsStream, type Uploads } from '../../src/uploads/uploads.js';
import { refusal, TestLog } from '../support/given.js';

const file = {
  name: 'note.txt',
  contentType: 'text/plain',
  stored: { name: '1/ab/cd', contentKey: 'key', size: 7 },
};

function after(...events: readonly UploadEvent[]): Uploads {
  const log = new TestLog();
  log.append(uploadsStream, events);
  return log.fold(uploadsFold, uploadsStream);
}

describe('uploads', () => {
  const [uploaded] = decideUploadFile(after(), file, { userId: 3 });

  it('have ids that rise with the log', () => {
    expect(uploaded!.data).toEqual({
      uploadId: 1,
      uploaderId: 3,
      storageName: '1/ab/cd',
      contentKey: 'key',
      name: 'note.txt',
      contentType: 'text/plain',
      size: 7,
    });
    const [second] = decideUploadFile(after(uploaded!), file, { userId: 4 });
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
