import { describe, expect, it } from '@jest/globals';
import { ListBudget } from '../../src/contexts/personal/list-budget.js';
import type { PersonalReader } from '../../src/contexts/personal/personal-reader.js';
import { personalDocumentId } from '../../src/contexts/personal/read-model.js';
import { budgets } from '../../src/kernel/budgets.js';
import { standIn } from '../support/stand-in.js';

const userId = 3;
const { max } = budgets.listCharacters;

/** Whether there is room in a list with texts of these sizes, by their ids. */
async function hasRoom(
  sizes: Readonly<Record<number, number>>,
  text: { readonly size: number; readonly replaces?: number },
): Promise<boolean> {
  const listed = Object.entries(sizes).map(([id, size]) => [personalDocumentId(userId, Number(id)), size]);
  const sizesInList = () => Promise.resolve(new Map(listed as [string, number][]));
  const room = new ListBudget(standIn<PersonalReader>({ sizesInList }));
  const outcome = room.assertRoomFor('drafts', { userId, ...text });
  return outcome.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ row: 'listTooLong' });
      return false;
    },
  );
}

describe('Room in a list of a person', () => {
  it('is what the budget leaves', async () => {
    expect(await hasRoom({ 1: max - 10, 2: 4 }, { size: 6 })).toBe(true);
    expect(await hasRoom({ 1: max - 10, 2: 4 }, { size: 7 })).toBe(false);
  });

  it('counts a text that is replaced no more', async () => {
    expect(await hasRoom({ 1: max - 10, 2: 4 }, { size: 10, replaces: 2 })).toBe(true);
    expect(await hasRoom({ 1: max - 10, 2: 4 }, { size: 11, replaces: 2 })).toBe(false);
    expect(await hasRoom({ 1: max - 10 }, { size: 11, replaces: 2 })).toBe(false);
  });

  it('is there for a text that becomes no longer, even where there is too much already', async () => {
    expect(await hasRoom({ 1: max, 2: 40 }, { size: 40, replaces: 2 })).toBe(true);
    expect(await hasRoom({ 1: max, 2: 40 }, { size: 41, replaces: 2 })).toBe(false);
  });
});
