import { expect, it } from '@jest/globals';
import { EventApplier, type AppliedModel } from '../../projections/engine/event-applier.js';
import type { DecodedPage } from '../../projections/engine/decoded-pages.js';
import { standIn } from '../support/stand-in.js';

/** Positions at which batches end, of events that carry what is given. */
async function batchesOf(
  contents: readonly object[],
  { isBackground = false, live = true } = {},
): Promise<readonly number[]> {
  const ends: number[] = [];
  const applier = await EventApplier.open(
    standIn<AppliedModel>({
      projection: { on: { Listed: { apply: () => [] } }, isBackground },
      model: {},
      writer: { recover: async () => ({ position: null }), commit: async () => undefined },
      limits: { events: 100, backgroundEvents: 20, characters: 1_000_000 },
    }),
    (position) => void ends.push(position),
  );
  const events = contents.map((data, index) => ({ type: 'Listed', position: index + 1, data }));
  const page = { events, poison: null, position: events.length, live };
  await applier.apply(standIn<DecodedPage>(page), new AbortController().signal);
  return ends;
}

const many = <Content>(count: number, content: Content): Content[] =>
  Array.from({ length: count }, () => content);

it.each([
  ['are as many as may be where they are small', many(250, { text: 'hello', ids: [] }), [100, 200, 250]],
  ['are few where their texts are long', many(5, { text: 'a'.repeat(400_000) }), [2, 4, 5]],
  // Each entry may become a document, such as somebody's subscription.
  ['are few where their lists are long', many(5, { userIds: many(400, 7) }), [2, 4, 5]],
])('The events of a batch %s', async (_what, contents, ends) => {
  expect(await batchesOf(contents)).toEqual(ends);
});

it('The batches of a model that nobody waits for are short, so that others get their turn, but not while it is built', async () => {
  const events = many(50, { text: 'hello' });
  expect(await batchesOf(events, { isBackground: true })).toEqual([20, 40, 50]);
  expect(await batchesOf(events, { isBackground: true, live: false })).toEqual([50]);
});
