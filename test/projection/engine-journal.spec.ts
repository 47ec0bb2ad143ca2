import { describe, expect, it } from '@jest/globals';
import { BatchJournal } from '../../projections/engine/batch-journal.js';
import type { PlacedWrite } from '../../projections/engine/model-writer.js';
import { MemoryReadStore } from './support/memory-read-store.js';

const position = 7;

function writes(text: string): PlacedWrite[] {
  const replacement = { _id: 1, text };
  return [{ collection: 'texts', write: { replaceOne: { filter: { _id: 1 }, replacement, upsert: true } } }];
}

function textsOf(entries: readonly PlacedWrite[]): string[] {
  return entries.map(({ write }) => {
    if (!('replaceOne' in write)) throw new Error('A journal is written by replacing its parts');
    return String(write.replaceOne.replacement['text']);
  });
}

describe('the journal of a batch', () => {
  it.each(['', 'x'])('cuts no character in two behind %j', async (before) => {
    const text = before + '🙂'.repeat(400_000);
    const store = new MemoryReadStore(false);
    const journal = new BatchJournal(await store.openModel('model', 1, []));
    const parts = textsOf(journal.entriesFor(writes(text), position));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(JSON.parse(parts.reverse().join(''))).toEqual(writes(text));
  });
});
