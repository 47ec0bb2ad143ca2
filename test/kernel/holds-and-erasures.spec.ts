import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { securityStream } from '../../src/events/security.js';
import { handle } from '../../src/kernel/handle.js';
import { MessageLocations } from '../../src/audit/cases/message-locations.js';
import type { Recipient } from '../../src/events/messages.js';
import type { MessagesMoved } from '../../src/events/message-moves.js';
import { personalStream, type DraftDeleted } from '../../src/events/personal.js';
import type { EventOf, RecordedEvent } from '../../src/kernel/event.js';
import { erasures } from '../../src/audit/cases/erasures.state.js';
import { metadataOf } from '../support/given.js';
import { ErasingLog } from '../support/erasing-log.js';

const ada = 4;
const place = (topic: string): Recipient => ({ type: 'channel', channelId: 1, topic });
let log: ErasingLog;

function moveOf(topic: string, newTopic: string): EventOf<typeof MessagesMoved> {
  const selection = { channelId: 1, topic, bounds: { after: 0, through: null }, visible: null };
  const notify = { oldThread: false, newThread: false };
  return {
    type: 'MessagesMoved',
    data: { messageId: 1, mode: 'change_all', selection, newTopic, newChannel: null, notify },
  };
}

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

const draftDeleted: EventOf<typeof DraftDeleted> = {
  type: 'DraftDeleted',
  data: { userId: ada, draftId: 1 },
};

/** A draft that was deleted, and whose erasure was deferred if a hold kept it. */
async function deleteDraft(): Promise<RecordedEvent> {
  const draft = {
    userId: ada,
    draftId: 1,
    type: '',
    to: [],
    topic: '',
    content: 'Hm.',
    timestamp: 1,
  } as const;
  const saved = await log.append(personalStream(ada), { type: 'DraftSaved', data: draft });
  await log.react(log.records, await log.append(personalStream(ada), draftDeleted));
  return saved;
}

describe('erasing a person', () => {
  it('is refused while a hold on everybody keeps a draft that they deleted', async () => {
    await log.hold(1, { since: 4_000_000_000_000 });
    const draft = await deleteDraft();
    const refused = await log.append('erasures', {
      type: 'PersonErasureRequested',
      data: { userId: ada, operator: 'root' },
    });
    await log.react(log.people, refused);
    expect(await log.recorded()).toEqual([
      'BelongingErasureDeferred',
      'PersonErasureRequested',
      'PersonErasureRefused',
    ]);
    await log.react(log.records, await log.lift(1));
    expect(log.destroyed).toEqual([draft.id]);
    expect(await log.deferred.casesOfPerson(ada, (await log.stores.eventStore.head())!)).toEqual([]);
  });
});

describe('a draft that a hold kept', () => {
  it('is erased when the hold is lifted, whatever the policy is by then', async () => {
    await log.hold(1, { userIds: [ada] });
    const draft = await deleteDraft();
    log.policy = 'keep';
    await log.react(log.records, await log.lift(1));
    expect(log.destroyed).toEqual([draft.id]);
    expect(await log.recorded()).toEqual(['BelongingErasureDeferred', 'BelongingErased']);
  });
});

describe('the places of messages', () => {
  it('are found as of any position, whatever others ask for meanwhile', async () => {
    const locations = new MessageLocations(log.stores.log);
    const sent = await log.send(ada, 1);
    const moved = await log.append('channel-1', moveOf('notes', 'elsewhere'));
    await locations.load(moved.position);
    await locations.load(sent.position);
    const message = { messageId: 1, recipient: place('notes'), position: sent.position };
    expect(locations.of(message, moved.position).map((one) => one.place)).toEqual([
      place('notes'),
      place('elsewhere'),
    ]);
    expect(locations.of(message, sent.position)).toHaveLength(1);
  });
});
