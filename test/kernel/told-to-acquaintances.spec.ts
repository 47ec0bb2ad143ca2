import { describe, expect, it } from '@jest/globals';
import { DirectConversations, type BegunConversation } from '../../src/access/direct-conversations.js';
import { presentStatus } from '../../src/contexts/users/client-events/person-status.js';
import { amongAcquaintances } from '../../src/contexts/users/client-events/acquaintances.js';
import type { AcquaintanceModels } from '../../src/contexts/users/client-models.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import type { AddressedEvent, Mapper } from '../../src/realtime/mapper.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const guestRole = 600;
const options = { ...requestedOptionsOf({}, undefined), allPublicChannels: false, narrow: everyMessage };

/** The client events for an event in an organization, and the reads for them. */
class Delivered {
  readonly asked: (readonly number[])[] = [];

  constructor(
    private readonly organization: TestOrganization,
    private readonly conversations: readonly BegunConversation[] = [],
  ) {}

  /** @returns for each person the types and operations of the client events, in order */
  async of(
    stream: string,
    event: DomainEvent,
    viewers: readonly number[],
  ): Promise<readonly (readonly string[])[]> {
    const mapper = amongAcquaintances(new Map([[event.type, line]]), presentStatus).get(event.type)!;
    const earlier = this.organization.snapshot();
    const models: AcquaintanceModels = {
      hasClient: () => true,
      directConversations: (ids) => {
        this.asked.push(ids);
        return Promise.resolve(DirectConversations.of(ids, this.conversations));
      },
    };
    const [recorded] = this.organization.log.append(stream, [event]);
    const read = await mapper.read?.(recorded!, models, earlier);
    const before = mapper.before?.(recorded!, earlier);
    const snapshot = this.organization.snapshot();
    const told = mapper.clientEvents(recorded!, { snapshot, before, read, appended: [recorded!] });
    return viewers.map((id) => told.flatMap((one) => this.toldTo(id, one)));
  }

  private toldTo(id: number, { to, event }: AddressedEvent): string[] {
    const user = this.organization.user(id);
    if (to !== 'everyone' && !(typeof to === 'function' ? to(user) : to.includes(id))) return [];
    const made = typeof event === 'function' ? event({ user, queueId: '', options }) : event;
    return [made ?? []].flat().map((one) => {
      const { user_id: about } = (one['person'] ?? {}) as { user_id?: number };
      return [one.type, one.op, about].filter((word) => word !== undefined).join(' ');
    });
  }
}

/** Sends everyone a client event that is about a person, and one that is not. */
const line: Mapper<RecordedEvent> = {
  clientEvents: ({ data }) => [
    { to: 'everyone', event: { type: 'other' } },
    {
      to: 'everyone',
      event: { type: 'realm_user', op: 'update', person: { user_id: (data as { userId?: number }).userId } },
    },
  ],
};

/** A guest, a person in a channel with the guest, one with whom the guest had a conversation, and a stranger. */
function cast(hides: boolean) {
  const permissions = hides ? { can_access_all_users_group: 3 } : {};
  const organization = new TestOrganization({}, permissions);
  const guest = organization.register({ role: guestRole });
  const [colleague, partner, stranger] = [1, 2, 3].map(() => organization.register()) as [
    number,
    number,
    number,
  ];
  const channelId = createChannel(organization, [guest, colleague]);
  return { organization, guest, colleague, partner, stranger, channelId };
}

const renamed = (userId: number): DomainEvent => ({ type: 'UserRenamed', data: { userId, fullName: 'New' } });

describe('client events about a person', () => {
  it('are sent to everyone without a look-up if nobody is hidden from guests', async () => {
    const { organization, guest, stranger } = cast(false);
    const delivered = new Delivered(organization);
    expect(await delivered.of('users', renamed(stranger), [guest])).toEqual([
      ['other', `realm_user update ${stranger}`],
    ]);
    expect(delivered.asked).toEqual([]);
  });

  it('are sent to people who know that person, which one look-up finds for all readers', async () => {
    const { organization, guest, colleague, partner, stranger } = cast(true);
    const others = [1, 2, 3, 4].map(() => organization.register({ role: guestRole }));
    const delivered = new Delivered(organization, [{ participantIds: [guest, partner], beganAt: 0 }]);
    const update = (id: number): string[] => ['other', `realm_user update ${id}`];
    const readers = [guest, ...others];
    const unknown = others.map(() => ['other']);
    expect(await delivered.of('users', renamed(stranger), readers)).toEqual([['other'], ...unknown]);
    expect(await delivered.of('users', renamed(colleague), readers)).toEqual([update(colleague), ...unknown]);
    expect(await delivered.of('users', renamed(partner), readers)).toEqual([update(partner), ...unknown]);
    expect(await delivered.of('users', renamed(stranger), [colleague])).toEqual([update(stranger)]);
    expect(delivered.asked).toEqual([[stranger], [colleague], [partner], [stranger]]);
  });

  it('are not sent to a guest whose first conversation with that person comes later', async () => {
    const { organization, guest, partner } = cast(true);
    const later = organization.log.events.length + 10;
    const delivered = new Delivered(organization, [{ participantIds: [guest, partner], beganAt: later }]);
    expect(await delivered.of('users', renamed(partner), [guest])).toEqual([['other']]);
  });
});

describe('a guest who shares a channel with somebody new', () => {
  it('receives that person first, once, and only if the guest is in the channel', async () => {
    const { organization, guest, colleague, stranger, channelId } = cast(true);
    const absent = organization.register({ role: guestRole });
    const delivered = new Delivered(organization);
    const event = {
      type: 'UsersSubscribed',
      data: {
        channelId,
        userIds: [colleague, stranger],
        color: '#000000',
        afterMessageId: 0,
        continuation: [],
      },
    };
    const [told, ...others] = await delivered.of(`channel-${channelId}`, event, [guest, colleague, absent]);
    expect(told?.slice(0, 2)).toEqual([`realm_user add ${stranger}`, 'other']);
    expect(others.flat().filter((text) => text.includes('add'))).toEqual([]);
    expect(delivered.asked).toEqual([[guest]]);
  });

  it('receives the status of that person as well', async () => {
    const { organization, guest, stranger, channelId } = cast(true);
    const status = { userId: stranger, text: 'at sea', emoji: null };
    organization.log.append(`user-${stranger}`, [{ type: 'UserStatusChanged', data: status }]);
    const joined = { channelId, userIds: [stranger], color: '#000000', afterMessageId: 0, continuation: [] };
    const event = { type: 'UsersSubscribed', data: joined };
    const [told] = await new Delivered(organization).of(`channel-${channelId}`, event, [guest]);
    expect(told?.slice(0, 3)).toEqual([`realm_user add ${stranger}`, 'user_status', 'other']);
  });

  it('loses people who left after all other events, but not those with a direct conversation', async () => {
    const { organization, guest, colleague, partner, channelId } = cast(true);
    const joined = { channelId, userIds: [partner], color: '#000000', afterMessageId: 0, continuation: [] };
    organization.log.append(`channel-${channelId}`, [{ type: 'UsersSubscribed', data: joined }]);
    const delivered = new Delivered(organization, [{ participantIds: [guest, partner], beganAt: 0 }]);
    const event = {
      type: 'UsersUnsubscribed',
      data: { channelId, userIds: [colleague, partner], throughMessageId: 0, continuation: [] },
    };
    const [told] = await delivered.of(`channel-${channelId}`, event, [guest]);
    expect(told?.[0]).toBe('other');
    expect(told?.filter((text) => text.includes('remove'))).toEqual([`realm_user remove ${colleague}`]);
  });
});
