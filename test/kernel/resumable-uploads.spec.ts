import { describe, expect, it } from '@jest/globals';
import {
  assertGoesOn,
  decideAbandonResumable,
  decideExtendResumable,
  decideFinishResumable,
  decideStartResumable,
  expiredResumables,
  ownResumable,
} from '../../src/contexts/uploads/resumable/resumable-uploads.decide.js';
import { announcedFile, announcedOffset } from '../../src/contexts/uploads/resumable/protocol.js';
import {
  resumableUploadsFold,
  type ResumableUploads,
} from '../../src/contexts/uploads/resumable/resumable-uploads.state.js';
import { UploadQuota } from '../../src/contexts/uploads/upload-quota.js';
import { MAX_UPLOAD_MEBIBYTES, uploadsFold } from '../../src/contexts/uploads/uploads.state.js';
import { RESUMABLE_UPLOADS_STREAM, type ResumableUploadEvent } from '../../src/events/resumable-uploads.js';
import { budgets } from '../../src/kernel/budgets.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';

const MEBIBYTE = 1_048_576;
const room = { uploads: uploadsFold.initial, quota: new UploadQuota(1_000, 500) };
const ada = 3;
const bo = 4;

function idOf(number: number): string {
  return String(number).padStart(40, '0');
}

function file(number: number, size = 10, uploaderId = ada) {
  return { id: idOf(number), uploaderId, name: 'note g.txt', contentType: 'text/plain', size };
}

function part(size: number, name = '1/incoming/part') {
  return { name, contentKey: 'key', size };
}

class Story {
  private readonly log = new TestLog();

  happens(events: readonly ResumableUploadEvent[], at = atTheTime): this {
    this.log.append(RESUMABLE_UPLOADS_STREAM, events, { at });
    return this;
  }

  get uploads(): ResumableUploads {
    return this.log.fold(resumableUploadsFold, RESUMABLE_UPLOADS_STREAM);
  }

  start(...parameters: Parameters<typeof file>): this {
    return this.happens(decideStartResumable(this.uploads, file(...parameters), room));
  }

  extend(from: number, size: number): this {
    return this.happens(decideExtendResumable(this.uploads, place(from), part(size, `1/incoming/${from}`)));
  }
}

function place(from: number, uploaderId = ada) {
  return { resumableId: idOf(1), uploaderId, from };
}

describe('an upload in parts', () => {
  it('is no larger than others, and counts as if it were uploaded', () => {
    const start = (story: Story, ...parameters: Parameters<typeof file>) =>
      refusal(() => decideStartResumable(story.uploads, file(...parameters), room));
    const max = MAX_UPLOAD_MEBIBYTES * MEBIBYTE;
    expect(start(new Story(), 1, max)).toBeNull();
    expect(start(new Story(), 1, max + 1)).toBe('resumableRefused');
    const story = new Story();
    for (let number = 1; number <= 5; number += 1) story.start(number, max);
    expect(start(story, 6, 1)).toBe('resumableRefused');
    expect(start(story, 6, 1, bo)).toBeNull();
  });

  it('is refused when its owner has the maximum number of unfinished ones', () => {
    const story = new Story();
    for (let number = 1; number <= budgets.resumableUploads.max; number += 1) story.start(number);
    expect(refusal(() => story.start(99))).toBe('resumableRefused');
    expect(refusal(() => story.start(100, 10, bo))).toBeNull();
  });

  it('continues at its offset, for its owner only, and never beyond its end', () => {
    const story = new Story().start(1).extend(0, 4);
    const attempt = (from: number, size: number, uploaderId = ada) =>
      refusal(() => decideExtendResumable(story.uploads, place(from, uploaderId), part(size)));
    expect(attempt(4, 6)).toBeNull();
    expect(attempt(4, 7)).toBe('resumableRefused');
    expect(attempt(0, 4)).toBe('resumableOffset');
    expect(attempt(5, 1)).toBe('resumableOffset');
    expect(attempt(4, 6, bo)).toBe('noSuchResumable');
    story.extend(4, 6);
    expect(ownResumable(story.uploads, idOf(1), ada)).toMatchObject({
      offset: 10,
      parts: [{ name: '1/incoming/0' }, { name: '1/incoming/4' }],
    });
  });

  it('has a maximum number of parts', () => {
    const upload = ownResumable(new Story().start(1).uploads, idOf(1), ada);
    const { max } = budgets.resumableUploadParts;
    const inParts = (count: number) => ({ ...upload, parts: Array.from({ length: count }, () => part(1)) });
    expect(refusal(() => assertGoesOn(inParts(max - 1), 0))).toBeNull();
    expect(refusal(() => assertGoesOn(inParts(max), 0))).toBe('resumableRefused');
  });

  it('ends when it is complete, abandoned, or has received nothing for too long', () => {
    const story = new Story().start(1).extend(0, 10);
    const end = atTheTime + budgets.resumableUploadHours.max * 3_600_000;
    expect(expiredResumables(story.uploads, end - 1)).toEqual([]);
    expect(expiredResumables(story.uploads, end).map(({ id }) => id)).toEqual([idOf(1)]);
    const resumableId = idOf(1);
    const partNames = ['1/incoming/0'];
    expect(decideAbandonResumable(story.uploads, resumableId, true)).toEqual([
      { type: 'ResumableUploadAbandoned', data: { resumableId, isExpired: true, partNames } },
    ]);
    const finished = decideFinishResumable(story.uploads, { resumableId, uploadId: 7 });
    expect(finished).toEqual([
      { type: 'ResumableUploadFinished', data: { resumableId, uploadId: 7, partNames } },
    ]);
    story.happens(finished);
    expect(refusal(() => ownResumable(story.uploads, resumableId, ada))).toBe('noSuchResumable');
    expect(decideFinishResumable(story.uploads, { resumableId, uploadId: 7 })).toEqual([]);
    expect(decideAbandonResumable(story.uploads, resumableId, false)).toEqual([]);
  });
});

describe('what a client says of an upload in parts', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');

  it('is its size, its name and its type', () => {
    const metadata = `filename ${encoded('nóte g.txt')}, filetype ${encoded('text/markdown')},is_public`;
    expect(announcedFile({ 'upload-length': '12', 'upload-metadata': metadata })).toEqual({
      name: 'nóte g.txt',
      contentType: 'text/markdown',
      size: 12,
    });
    expect(announcedFile({ 'upload-length': '0' })).toEqual({
      name: 'uploaded-file',
      contentType: 'application/octet-stream',
      size: 0,
    });
  });

  it('has a name of limited length', () => {
    const metadata = `filename ${encoded(`${'n'.repeat(70_000)}.txt`)}`;
    const { name } = announcedFile({ 'upload-length': '0', 'upload-metadata': metadata });
    expect(name).toBe(`${'n'.repeat(budgets.uploadName.max - 4)}.txt`);
  });

  it('is refused if it is malformed', () => {
    const announce = (headers: Readonly<Record<string, string>>) => refusal(() => announcedFile(headers));
    for (const length of ['', '-1', '1.5', '1e3', '9'.repeat(16)])
      expect(announce({ 'upload-length': length })).toBe('resumableLengthMissing');
    expect(announce({ 'upload-defer-length': '1' })).toBe('resumableLengthMissing');
    for (const value of ['***', '/w=='])
      expect(announce({ 'upload-length': '1', 'upload-metadata': `filename ${value}` })).toBe(
        'invalidResumableMetadata',
      );
    const type = 'application/offset+octet-stream';
    expect(announcedOffset({ 'content-type': type, 'upload-offset': '7' })).toBe(7);
    expect(refusal(() => announcedOffset({ 'upload-offset': '7' }))).toBe('resumableContentType');
    expect(refusal(() => announcedOffset({ 'content-type': type, 'upload-offset': 'x' }))).toBe(
      'resumableOffset',
    );
  });
});
