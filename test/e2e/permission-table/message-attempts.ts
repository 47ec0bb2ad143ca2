import type { messagePermissionRows } from '../../../src/access/message-permission-rows.js';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { administrators, living, moderators, notGuests, subscribers, type Actor } from './actors.js';
import { shared, type Attempts } from './attempt.js';
import type { Stage } from './stage.js';

/** Who tries what of {@link messagePermissionRows}. */
export function messageAttempts(stage: Stage): Attempts<typeof messagePermissionRows> {
  const { clients, ids } = stage;

  /** A message of the actor's own; those who can say nothing are given somebody else's. */
  function saidBy(actor: Actor, place: number): Promise<number> {
    return stage.said(place, actor === 'deactivated' ? clients.owner : clients[actor]);
  }

  async function resolve(client: ApiClient, messageId: number): Promise<Answer> {
    const { message } = await clients.owner.must('get', `messages/${messageId}`);
    return client.patch(`messages/${messageId}`, {
      topic: `✔ ${message['subject']}`,
      propagate_mode: 'change_all',
    });
  }

  /** Begins a conversation that nobody had: with the one asked, the owner and a bot. */
  async function talk(client: ApiClient): Promise<Answer> {
    const stranger = await stage.newBot(clients.owner, stage.newName());
    return client.post('messages', { type: 'direct', to: [stranger, ids.owner], content: 'hello' });
  }

  return {
    send: [
      { at: 'public', act: (client) => stage.say(client, stage.open), who: living },
      { at: 'private', act: (client) => stage.say(client, stage.closed), who: subscribers },
      {
        at: 'given to some',
        act: shared(
          () => stage.anotherChannel({ can_send_message_group: stage.only('member') }),
          (place, client) => stage.say(client, place),
        ),
        // A bot speaks where its owner may.
        who: ['member', 'bot'],
      },
      {
        at: 'for announcements only',
        act: shared(
          async () => {
            const place = await stage.anotherChannel();
            await clients.owner.must('patch', `streams/${place}`, { is_announcement_only: true });
            return place;
          },
          (place, client) => stage.say(client, place),
        ),
        who: administrators,
      },
      {
        at: 'by the older policy',
        act: shared(
          async () => {
            const place = await stage.anotherChannel();
            await clients.owner.must('patch', `streams/${place}`, { stream_post_policy: 4 });
            return place;
          },
          (place, client) => stage.say(client, place),
        ),
        who: moderators,
      },
      {
        at: 'by the older policy, from the start',
        act: shared(
          () => stage.anotherChannel({ stream_post_policy: 2 }),
          (place, client) => stage.say(client, place),
        ),
        who: administrators,
      },
    ],
    createTopics: [
      {
        act: shared(
          () => stage.anotherChannel({ can_create_topic_group: 6 }),
          (place, client) => stage.say(client, place),
        ),
        who: administrators,
      },
    ],
    resolveTopics: [
      { act: async (client) => resolve(client, await stage.said(stage.open)), who: living },
      {
        at: 'given by the channel',
        act: shared(
          () => stage.anotherChannel({ can_resolve_topics_group: stage.only('member') }),
          async (place, client) => resolve(client, await stage.said(place)),
        ),
        who: [...administrators, 'member'],
        given: ['can_resolve_topics_group', () => 6, 2],
      },
    ],
    moveWithinChannel: [
      {
        act: async (client) =>
          client.patch(`messages/${await stage.said(stage.open)}`, { topic: stage.newName() }),
        who: living,
      },
      {
        at: 'given by the channel',
        act: shared(
          () => stage.anotherChannel({ can_move_messages_within_channel_group: stage.only('member') }),
          async (place, client) =>
            client.patch(`messages/${await stage.said(place)}`, { topic: stage.newName() }),
        ),
        who: [...administrators, 'member'],
        given: ['can_move_messages_between_topics_group', () => 8, 2],
      },
    ],
    moveOutOfChannel: [
      {
        act: shared(
          () => stage.anotherChannel(),
          async (place, client) =>
            client.patch(`messages/${await stage.said(stage.open)}`, { stream_id: place }),
        ),
        who: notGuests,
      },
      {
        at: 'given by the channel',
        act: shared(
          () => stage.anotherChannel({ can_move_messages_out_of_channel_group: stage.only('member') }),
          async (place, client) =>
            client.patch(`messages/${await stage.said(place)}`, { stream_id: stage.open }),
        ),
        who: [...administrators, 'member'],
        given: ['can_move_messages_between_channels_group', () => 8, 3],
      },
    ],
    deleteAnyMessage: [
      {
        act: async (client) => client.delete(`messages/${await stage.said(stage.open)}`),
        who: administrators,
      },
      {
        at: 'given by the channel',
        act: shared(
          () => stage.anotherChannel({ can_delete_any_message_group: stage.only('member') }),
          async (place, client) => client.delete(`messages/${await stage.said(place)}`),
        ),
        who: [...administrators, 'member'],
      },
    ],
    deleteOwnMessage: [
      {
        act: async (client, actor) => client.delete(`messages/${await saidBy(actor, stage.open)}`),
        who: living,
      },
      {
        at: 'given to some',
        act: async (client, actor) => client.delete(`messages/${await saidBy(actor, stage.open)}`),
        // Whoever deletes everyone's messages deletes their own.
        who: moderators,
        given: ['can_delete_own_message_group', () => 5, 2],
      },
      {
        at: 'given by the channel',
        act: shared(
          () => stage.anotherChannel({ can_delete_own_message_group: stage.only('member') }),
          async (place, client, actor) => client.delete(`messages/${await saidBy(actor, place)}`),
        ),
        who: [...administrators, 'member'],
        given: ['can_delete_own_message_group', () => 6, 2],
      },
    ],
    startConversation: [
      { act: (client) => talk(client), who: living },
      {
        at: 'given to some',
        act: (client) => talk(client),
        // Bots begin whatever they like.
        who: [...moderators, 'bot'],
        given: ['direct_message_initiator_group', () => 5, 2],
      },
    ],
    converse: [
      {
        at: 'given to some, to somebody who has it not',
        act: (client) => client.post('messages', { type: 'direct', to: [ids.outsider], content: 'hello' }),
        // Bots talk with everyone, and everyone with themselves.
        who: [...moderators, 'bot', 'outsider'],
        given: ['direct_message_permission_group', () => 5, 2],
      },
    ],
    mentionMany: [
      { act: (client) => stage.say(client, stage.open, '@**all** hear me'), who: administrators },
      {
        at: 'given to some',
        act: (client) => stage.say(client, stage.open, '@**all** hear me'),
        who: ['guest'],
        given: ['can_mention_many_users_group', () => stage.only('guest'), 6],
      },
    ],
    mentionGroup: [
      {
        act: shared(
          async () => {
            const name = stage.newName();
            const request = { name, description: '', members: [], can_mention_group: 5 };
            await clients.member.must('post', 'user_groups/create', request);
            return name;
          },
          (name, client) => stage.say(client, stage.open, `@*${name}* hear me`),
        ),
        who: moderators,
      },
    ],
  };
}
