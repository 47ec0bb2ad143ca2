import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { WholeFiles } from '../../src/contexts/uploads/commands/resumable-uploads.js';
import type { ResumableUpload } from '../../src/contexts/uploads/resumable/resumable-uploads.state.js';
import type { Caller } from '../../src/http/caller.js';
import type { Decisions } from '../../src/http/decisions.js';
import { fileOnDisk } from '../../src/http/file-reply.js';
import { failure } from '../../src/kernel/errors.js';
import type { EncryptedFiles, NewFile } from '../../src/stores/file-store/encrypted-files.js';
import { standIn } from '../support/stand-in.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-missing-'));
  file = join(folder, 'copy.zip');
  await writeFile(file, '0123456789');
});

afterEach(() => rm(folder, { recursive: true }));

const missing = () => failure('noOwnData');

describe('a file on this machine', () => {
  it('is read whole, or in ranges', async () => {
    const { size, open } = await fileOnDisk(file, missing);
    expect(size).toBe(10);
    expect(await text(await open(null))).toBe('0123456789');
    expect(await text(await open({ from: 3, through: 5 }))).toBe('345');
  });

  it('is refused as missing when it is removed before it is looked at, or before it is opened', async () => {
    const { open } = await fileOnDisk(file, missing);
    await rm(file);
    await expect(open(null)).rejects.toMatchObject({ row: 'noOwnData' });
    await expect(fileOnDisk(file, missing)).rejects.toMatchObject({ row: 'noOwnData' });
  });
});

it('An upload whose parts another request has put together meanwhile is over', async () => {
  const files = standIn<EncryptedFiles>({
    openExisting: () => Promise.resolve(null),
    put: async (_file: NewFile, content: AsyncIterable<Uint8Array>) => buffer(content),
  });
  const whole = new WholeFiles(standIn<CommandBus>({}), standIn<Decisions>({}), files);
  const part = { name: '1/incoming/part', contentKey: 'key', size: 7 };
  const upload = standIn<ResumableUpload>({ id: '1', name: 'a', contentType: 'text/plain', parts: [part] });
  await expect(whole.finish(standIn<Caller>({ userId: 3 }), upload)).rejects.toMatchObject({
    row: 'noSuchResumable',
  });
});
