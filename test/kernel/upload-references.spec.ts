import { describe, expect, it } from '@jest/globals';
import type { NarrowContext } from '../../src/contexts/messages/narrow/compiled-narrow.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { standIn } from '../support/stand-in.js';

interface Page {
  readonly filter: { readonly _id: { readonly $lt: number } };
  readonly limit: number;
}

/** Somebody's view of so many messages that refer to an upload, of which they see only the oldest. */
function viewOf(count: number): { readonly session: QuerySession; readonly read: () => number } {
  let read = 0;
  const find = (
    filter: Page['filter'],
    { limit }: Pick<Page, 'limit'>,
  ): Promise<readonly { _id: number }[]> => {
    const newest = Math.min(filter._id.$lt - 1, count);
    const page = Array.from({ length: Math.min(limit, newest) }, (_, index) => ({ _id: newest - index }));
    read += page.length;
    return Promise.resolve(page);
  };
  const model = standIn<ModelStore>({ collection: () => ({ find }) });
  const session = new QuerySession(model, standIn<NarrowContext>({}), new MessageCache());
  session.search.sees = ({ _id }) => _id === 1;
  return { session, read: () => read };
}

describe('An upload is seen by somebody', () => {
  const { max } = budgets.referencesExamined;

  it('who may see an old message that refers to it', async () => {
    expect(await viewOf(max).session.seesUpload(7)).toBe(true);
    expect(await viewOf(1).session.seesUpload(7)).toBe(true);
    expect(await viewOf(0).session.seesUpload(7)).toBe(false);
  });

  it('only as far as the newest messages tell that are examined', async () => {
    const { session, read } = viewOf(max + 1);
    expect(await session.seesUpload(7)).toBe(false);
    expect(read()).toBe(max);
  });
});
