import { describe, expect, it } from '@jest/globals';
import { deletionEvents, editEvent } from '../../src/contexts/messages/client-events/edits.js';
import { moveMappers } from '../../src/contexts/messages/client-events/moves.js';
import { noFlags } from '../../src/contexts/messages/flags/flags.state.js';
import { rangesOf } from '../../src/contexts/messages/flags/id-ranges.js';
import type { MessageDocument, MessageEditDocument } from '../../src/contexts/messages/message-document.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import { NO_CLIENT_EVENT, type AddressedEvent, type Receiver } from '../../src/realtime/mapper.js';
import { capabilitiesOf } from '../../src/realtime/queues/client-capabilities.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

const organization = new TestOrganization();
const [ada, bo, cy] = [organization.register(), organization.register(), organization.register()];
const channelId = createChannel(organization, [ada, bo, cy]);
const otherId = createChannel(organization, [ada]);
const snapshot = organization.snapshot();

const document = standIn<MessageDocument>({
  _id: 7,
  channelId,
  topic: '',
  arrival: 0,
  participantIds: null,
  givenToIds: [],
  moves: [],
  senderId: 0,
  readBySender: false,
  readOnArrival: null,
  mutedByIds: [],
  mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: null },
  alertedIds: [],
  content: 'new',
  html: null,
  isMeMessage: false,
});

/** Cy read the message. */
const view = {
  snapshot,
  placements: new Placements(),
  flags: new Map([[cy, { ...noFlags, read: rangesOf([7]) }]]),
};

function receiver(userId: number, capabilities: Record<string, boolean> = {}): Receiver {
  const options = { capabilities: capabilitiesOf(capabilities) } as Receiver['options'];
  return { user: organization.user(userId), queueId: `queue of ${userId}`, options };
}

function madeFor({ event }: AddressedEvent, one: Receiver): unknown {
  return typeof event === 'function' ? event(one) : event;
}

/** The client events for a move of these messages to another topic. */
function toldOfMove(
  messages: readonly MessageDocument[],
  newChannelId = channelId,
): readonly AddressedEvent[] {
  const move = { channelId, topic: '', newChannelId, newTopic: 'b', moved: { firstMessageId: 7 } };
  const { placements, flags } = view;
  const read = {
    moved: { move, messages, deleted: [] },
    edited: null,
    activities: new Map(),
    placements,
    flags,
  };
  const data = { messageId: 7, mode: 'change_all' };
  const event = standIn<never>({ data, metadata: { actorId: ada, at: 0, causationId: null } });
  const { MessagesMoved: line } = moveMappers;
  if (line === NO_CLIENT_EVENT) throw new Error('Moves have a client event');
  return line.clientEvents(event, { snapshot, read, before: undefined, appended: [] });
}

describe('clients that receive equal events share one object', () => {
  it('for an edit, unless their flags differ', () => {
    const edit = standIn<MessageEditDocument>({
      previousContent: 'old',
      previousHtml: '<p>old</p>',
      movesBefore: 0,
    });
    const edited = { edit, document, text: document, ...view };
    const event = editEvent(edited, standIn({ actorId: ada, at: 0 }));
    expect(madeFor(event, receiver(ada))).toBe(madeFor(event, receiver(bo)));
    expect(madeFor(event, receiver(cy))).toMatchObject({ flags: ['read'], message_id: 7 });
    expect(madeFor(event, receiver(bo))).toMatchObject({ flags: [] });
  });

  it('for a deletion, unless their capabilities differ', () => {
    const events = deletionEvents({ channelId, topic: '' }, [7, 8]);
    expect(events(receiver(ada))).toBe(events(receiver(bo)));
    const bulk = { bulk_message_deletion: true };
    expect(events(receiver(ada, bulk))).toBe(events(receiver(bo, bulk)));
    expect(events(receiver(ada, bulk))).toEqual([expect.objectContaining({ message_ids: [7, 8] })]);
    expect(events(receiver(ada))).toHaveLength(2);
    expect(events(receiver(ada, { empty_topic_name: true }))[0]).toMatchObject({ topic: '' });
  });

  it('for a move, unless their flags or capabilities differ', () => {
    const [told] = toldOfMove([document]);
    const made = (one: Receiver): readonly unknown[] => [madeFor(told!, one)].flat();
    expect(made(receiver(ada))[0]).toBe(made(receiver(bo))[0]);
    expect(made(receiver(cy))).toEqual([expect.objectContaining({ flags: ['read'], message_ids: [7] })]);
    const empty = receiver(ada, { empty_topic_name: true });
    expect(made(empty)).toEqual([expect.objectContaining({ orig_subject: '', subject: 'b' })]);
  });
});

describe('a move whose messages were all deleted before its client events are made', () => {
  it('causes no client event', () => {
    expect(toldOfMove([])).toEqual([]);
  });

  it('causes only the events of the changed first messages of the channels', () => {
    const told = toldOfMove([], otherId).map((event) => madeFor(event, receiver(ada)));
    const changed = { type: 'stream', op: 'update', property: 'first_message_id', value: null };
    expect(told).toEqual(
      [channelId, otherId].map((id) => ({
        ...changed,
        stream_id: id,
        name: snapshot.directory.channel(id)?.name,
      })),
    );
  });
});
