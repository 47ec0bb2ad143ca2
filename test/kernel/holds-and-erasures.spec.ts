import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { securityStream } from '../../src/events/security.js';
import { handle } from '../../src/kernel/handle.js';
import { erasures } from '../../src/audit/cases/erasures.state.js';
import { metadataOf } from '../support/given.js';
import { ErasingLog } from '../support/erasing-log.js';

const ada = 4;
let log: ErasingLog;

beforeEach(async () => {
  log = await ErasingLog.open();
});

afterEach(() => log.stores.dispose());

describe('a deleted message that a newer hold keeps', () => {
  it('remains when an older lifting is handled later than its deferral', async () => {
    const [free, kept] = [await log.send(ada, 1), await log.send(ada, 1)];
    await log.hold(1, { channelIds: [9] });
    const first = await log.delete(free);
    const lifted = await log.lift(1);
    await log.hold(2, { channelIds: [1] });
    const second = await log.delete(kept);

    await log.react(log.messages, first);
    expect(log.destroyed).toEqual([free.id]);
    await log.react(log.messages, second);
    await log.react(log.messages, lifted);
    expect(log.destroyed).toEqual([free.id]);

    await log.react(log.messages, await log.lift(2));
    expect(log.destroyed).toEqual([free.id, kept.id]);
  });

  it('is not decided together with deletions from before a change of the holds', async () => {
    const [one, two, three] = [await log.send(ada, 1), await log.send(ada, 1), await log.send(ada, 1)];
    const first = await log.delete(one);
    await log.delete(two);
    await log.hold(1, { channelIds: [9] });
    await log.delete(three);
    await log.react(log.messages, first);
    expect(log.destroyed).toEqual([one.id, two.id]);
  });
});

describe('a record that a newer hold keeps', () => {
  it('remains when an older lifting is handled later than its deferral', async () => {
    const stream = securityStream(ada);
    const origin = { address: '192.0.2.7', client: 'test' };
    const loggedIn = await log.append(stream, {
      type: 'LoggedIn',
      data: { userId: ada, method: 'password', keyId: '9f86d081884c7d65', ...origin },
    });
    await log.hold(1, { channelIds: [9] });
    const lifted = await log.lift(1);
    await log.hold(2, { userIds: [ada] });
    const { revision } = loggedIn;
    await handle(log.streams, {
      ...erasures,
      decide: () => [{ type: 'BelongingErasureDeferred' as const, data: { stream, revision, caseIds: [2] } }],
      metadata: metadataOf(1),
    });
    await log.react(log.records, lifted);
    expect(log.destroyed).toEqual([]);
    await log.react(log.records, await log.lift(2));
    expect(log.destroyed).toEqual([loggedIn.id]);
  });
});
