import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  botStorageFold,
  MAX_KEY_LENGTH,
  type BotStorage,
} from '../../src/contexts/personal/bot-storage/bot-storage.state.js';
import {
  decideChangeBotStorage,
  decideClearBotStorage,
} from '../../src/contexts/personal/bot-storage/bot-storage.decide.js';
import type { BotStorageEvent } from '../../src/events/bot-storage.js';
import type { User } from '../../src/access/records/user.js';
import { refusal, TestLog } from '../support/given.js';

const bot = { id: 5, bot: { ownerId: 4 } as User['bot'] };

function after(...events: readonly BotStorageEvent[]): BotStorage {
  const log = new TestLog();
  log.append<BotStorageEvent>('user-5', events);
  return log.fold<BotStorage, BotStorageEvent>(botStorageFold, 'user-5');
}

function note(storage: BotStorage, values: Readonly<Record<string, string>>): readonly BotStorageEvent[] {
  return decideChangeBotStorage(storage, new Map(Object.entries(values)), bot);
}

const empty = botStorageFold.initial;

describe('what a bot notes', () => {
  it('takes the place of what was there, and counts once', () => {
    const first = note(empty, { a: 'one', b: 'two' });
    expect(first).toEqual([
      {
        type: 'BotStorageChanged',
        data: {
          userId: 5,
          entries: [
            { key: 'a', value: 'one' },
            { key: 'b', value: 'two' },
          ],
        },
      },
    ]);
    const storage = after(...first, ...note(after(...first), { a: 'other' }));
    expect(storage.size).toBe('aother'.length + 'btwo'.length);
    expect(note(storage, {})).toEqual([]);
  });

  it('is limited in all, by key and in number', () => {
    const half = after(...note(empty, { a: 'x'.repeat(budgets.botStorage.max / 2) }));
    expect(refusal(() => note(half, { b: 'x'.repeat(budgets.botStorage.max / 2) }))).toBe('botStorageFull');
    expect(refusal(() => note(half, { a: 'x'.repeat(budgets.botStorage.max - 1) }))).toBeNull();
    expect(refusal(() => note(empty, { ['k'.repeat(MAX_KEY_LENGTH + 1)]: '' }))).toBe('textTooLong');
    const many = Object.fromEntries(
      Array.from({ length: budgets.botStorageKeys.max + 1 }, (_key, at) => [`key ${at}`, '']),
    );
    expect(refusal(() => note(empty, many))).toBe('botStorageFull');
  });

  it('is for bots only', () => {
    const person = { id: 5, bot: null };
    expect(refusal(() => decideChangeBotStorage(empty, new Map([['a', '1']]), person))).toBe('botRequired');
    expect(refusal(() => decideClearBotStorage(empty, null, person))).toBe('botRequired');
  });

  it('is removed by its keys, or all of it', () => {
    const storage = after(...note(empty, { b: '1', a: '2' }));
    const clear = (keys: readonly string[] | null): readonly BotStorageEvent[] =>
      decideClearBotStorage(storage, keys, bot);
    expect(clear(['b', 'b'])).toEqual([{ type: 'BotStorageCleared', data: { userId: 5, keys: ['b'] } }]);
    expect(clear(null)).toMatchObject([{ data: { keys: ['a', 'b'] } }]);
    expect(refusal(() => clear(['a', 'c']))).toBe('noSuchStorageKey');
    expect(decideClearBotStorage(empty, null, bot)).toEqual([]);
    const left = after(...note(empty, { a: '1' }), ...clear(['a']));
    expect([left.size, left.sizes.size]).toEqual([0, 0]);
  });
});
