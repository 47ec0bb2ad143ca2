import { expect, it, jest } from '@jest/globals';
import { DueRounds, type DuePage, type DueWork } from '../../projections/engine/due-rounds.js';
import { EventStoreUnavailableError } from '../../src/stores/event-store/port.js';

interface Item {
  readonly id: number;
  readonly owner: number;
}

/** Work with items that stay due until they are performed. */
function workOf(
  items: readonly Item[],
  perform: (item: Item) => void = () => {},
): { readonly due: Item[]; readonly done: number[]; readonly work: DueWork<Item> } {
  const due = [...items];
  const done: number[] = [];
  const work: DueWork<Item> = {
    find: ({ skip, limit }: DuePage<Item>) => Promise.resolve(due.slice(skip, skip + limit)),
    keyOf: ({ id }) => String(id),
    ownerOf: ({ owner }) => owner,
    perform: async (item) => {
      await Promise.resolve();
      perform(item);
      due.splice(due.indexOf(item), 1);
      done.push(item.id);
    },
  };
  return { due, done, work };
}

const many = (count: number, owner: number, from = 0): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, owner }));

it('An item that fails keeps no other from being performed, and is not tried again at once', async () => {
  const broken = new Error('This one cannot be done');
  let attempts = 0;
  const { done, work } = workOf([...many(3, 1), ...many(2, 2, 10)], ({ id }) => {
    if (id !== 0) return;
    attempts += 1;
    throw broken;
  });
  const rounds = new DueRounds(work);
  await expect(rounds.run()).rejects.toBe(broken);
  expect([...done].sort((one, other) => one - other)).toEqual([1, 2, 10, 11]);
  await rounds.run();
  expect(attempts).toBe(1);
  const now = performance.now();
  const later = jest.spyOn(performance, 'now').mockReturnValue(now + 1_500);
  await expect(rounds.run()).rejects.toBe(broken);
  expect(attempts).toBe(2);
  await rounds.run();
  expect(attempts).toBe(2);
  later.mockRestore();
});

it('Many items that fail keep no later one of their owner from being performed', async () => {
  const { done, work } = workOf([...many(1_200, 1), { id: 9_999, owner: 1 }], ({ id }) => {
    if (id < 1_200) throw new Error('No');
  });
  const rounds = new DueRounds(work);
  const stopped = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let round = 0; round < 13; round += 1) await rounds.run().catch(() => undefined);
  stopped.mockRestore();
  expect(done).toEqual([9_999]);
});

it('Owners take turns, however many items of one are due before those of others', async () => {
  const { done, work } = workOf([...many(50_000, 1), { id: 60_000, owner: 2 }, { id: 60_001, owner: 2 }]);
  await new DueRounds(work).run();
  expect(done.indexOf(60_000)).toBeLessThan(4);
  expect(done.indexOf(60_001)).toBeLessThan(10);
  expect(done.filter((id) => id < 50_000)).toEqual(many(100, 1).map(({ id }) => id));
});

it('Where a round has room for few owners, the next one begins with the others', async () => {
  const { done, work } = workOf([1, 2, 3, 4, 5].flatMap((owner) => many(1_000, owner, owner * 1_000)));
  const rounds = new DueRounds({ ...work, itemsOfRound: 2 });
  for (let round = 0; round < 5; round += 1) await rounds.run();
  const turns = done.map((id) => Math.floor(id / 1_000)).sort((one, other) => one - other);
  expect(turns).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
});

it('A long backlog is not looked up again before each round', async () => {
  let pages = 0;
  const { work } = workOf(many(20_000, 1));
  const find = async (page: DuePage<Item>): Promise<readonly Item[]> => {
    pages += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
    return work.find(page);
  };
  const rounds = new DueRounds({ ...work, find, itemsOfRound: 4 });
  for (let round = 0; round < 5; round += 1) await rounds.run();
  expect(pages).toBe(21);
});

it('The look-up of a very long backlog reads a part of it, and the next one continues behind what was performed', async () => {
  const { done, work } = workOf([...many(61_500, 1), { id: 99_999, owner: 2 }]);
  const pages: number[] = [];
  const find = (page: DuePage<Item>): Promise<readonly Item[]> => {
    pages.push(page.skip);
    return work.find(page);
  };
  const rounds = new DueRounds({ ...work, find, itemsOfRound: 4 });
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
  await rounds.run();
  expect([pages.length, pages.at(-1), done]).toEqual([60, 59_000, [0, 1, 2, 3]]);
  clock.mockReturnValue(now + 1);
  await rounds.run();
  expect(pages.slice(60)).toEqual([59_996, 60_996]);
  expect(done.slice(4).sort((one, other) => one - other)).toEqual([4, 5, 6, 99_999]);
  await rounds.run();
  expect(pages[62]).toBe(0);
  clock.mockRestore();
});

it('What a later look-up finds of an owner does not overtake what the earlier one left behind', async () => {
  const { done, work } = workOf(many(61_500, 1));
  const rounds = new DueRounds(work);
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
  await rounds.run();
  clock.mockReturnValue(now + 1);
  await rounds.run();
  // What is held is performed before the next look-up.
  clock.mockReturnValue(now);
  for (let round = 2; round < 7; round += 1) await rounds.run();
  expect(done).toEqual(many(700, 1).map(({ id }) => id));
  clock.mockRestore();
});

it('Where one item settles others, the next look-up does not jump over those of somebody else', async () => {
  const { due, work } = workOf([...many(60_000, 1), { id: 70_000, owner: 2 }, ...many(200, 3, 80_000)]);
  const performed: number[] = [];
  const perform = ({ owner }: Item): Promise<number> => {
    performed.push(owner);
    const settled = due.filter((one) => one.owner === owner).slice(0, 100);
    for (const item of settled) due.splice(due.indexOf(item), 1);
    return Promise.resolve(settled.length);
  };
  const rounds = new DueRounds({ ...work, perform, keyOf: ({ owner }) => String(owner) });
  await rounds.run();
  await rounds.run();
  expect(performed).toEqual([1, 2, 3]);
});

it('Items that settle nothing do not keep those behind the first look-up from being reached', async () => {
  const unsettled = Array.from({ length: 70_000 }, (_, id) => ({ id, owner: Math.floor(id / 100) }));
  const { work } = workOf([...unsettled, { id: 70_000, owner: 9_999 }]);
  const performed: number[] = [];
  const perform = ({ owner }: Item): Promise<number> => {
    performed.push(owner);
    return Promise.resolve(0);
  };
  // Looking up takes time, so that what is held is performed before the next look-up.
  let time = 0;
  const find = (page: DuePage<Item>): Promise<readonly Item[]> => {
    time += 1;
    return work.find(page);
  };
  const rounds = new DueRounds({ ...work, find, perform, keyOf: ({ owner }) => String(owner) });
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
  for (let round = 0; round < 4; round += 1) await rounds.run();
  clock.mockRestore();
  expect(performed).toContain(9_999);
});

it.each([
  ['goes on at once to the next one', 1, 600],
  ['ends the round if that takes long', 100, 500],
])('A look-up that finds only more of an owner that was cut short %s', async (_what, ofPage, expected) => {
  const { done, work } = workOf(many(130_000, 1));
  let time = 0;
  const find = (page: DuePage<Item>): Promise<readonly Item[]> => {
    time += ofPage;
    return work.find(page);
  };
  const rounds = new DueRounds({ ...work, find });
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
  for (let round = 0; round < 6; round += 1) await rounds.run();
  clock.mockRestore();
  expect(done).toEqual(many(expected, 1).map(({ id }) => id));
});

it('The items of one owner are performed in order, one after another, and those of several owners at once', async () => {
  const running = new Map<number, number>();
  let mostAtOnce = 0;
  const { done, work } = workOf([1, 2, 3].flatMap((owner) => many(20, owner, owner * 100)));
  const perform = async (item: Item): Promise<void> => {
    expect(running.has(item.owner)).toBe(false);
    running.set(item.owner, item.id);
    mostAtOnce = Math.max(mostAtOnce, running.size);
    await new Promise(setImmediate);
    running.delete(item.owner);
    await work.perform(item);
  };
  await new DueRounds({ ...work, perform }).run();
  expect(mostAtOnce).toBe(3);
  for (const owner of [1, 2, 3]) {
    const ofOwner = done.filter((id) => Math.floor(id / 100) === owner);
    expect(ofOwner).toEqual(many(20, owner, owner * 100).map(({ id }) => id));
  }
});

it.each([
  [undefined, 4],
  [1, 1],
])('Work that says %p performs items of at most %p owners at once', async (atOnce, expected) => {
  let [running, mostAtOnce] = [0, 0];
  const { done, work } = workOf([1, 2, 3, 4, 5, 6].flatMap((owner) => many(2, owner, owner * 100)));
  const perform = async (item: Item): Promise<void> => {
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await new Promise(setImmediate);
    running -= 1;
    await work.perform(item);
  };
  await new DueRounds({ ...work, perform, ...(atOnce !== undefined && { atOnce }) }).run();
  expect(mostAtOnce).toBe(expected);
  expect(done).toHaveLength(12);
});

it('A round ends when a store is unavailable, and its items are due in the next one', async () => {
  const unavailable = new EventStoreUnavailableError('gone', false);
  let isGone = true;
  const { done, work } = workOf(many(50, 1), () => {
    if (isGone) throw unavailable;
  });
  const rounds = new DueRounds(work);
  await expect(rounds.run()).rejects.toBe(unavailable);
  isGone = false;
  await rounds.run();
  expect(done).toHaveLength(50);
});
