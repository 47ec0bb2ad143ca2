import type { channelPermissionRows } from '../../../src/access/channel-permission-rows.js';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { administrators, living, moderators, notGuests, subscribers } from './actors.js';
import { shared, type Attempts } from './attempt.js';
import type { Stage } from './stage.js';

/** Who tries what of {@link channelPermissionRows}. */
export function channelAttempts(stage: Stage): Attempts<typeof channelPermissionRows> {
  const { clients } = stage;

  function create(client: ApiClient, settings: object): Promise<Answer> {
    const request = { subscriptions: [{ name: stage.newName() }], ...settings };
    return client.post('users/me/subscriptions', request);
  }

  return {
    createChannels: [
      { at: 'public', act: (client) => create(client, {}), who: notGuests },
      { at: 'private', act: (client) => create(client, { invite_only: true }), who: notGuests },
      { at: 'web-public', act: (client) => create(client, { is_web_public: true }), who: ['owner'] },
      {
        at: 'public, given to some',
        act: (client) => create(client, {}),
        who: ['outsider'],
        given: ['can_create_public_channel_group', () => stage.only('outsider'), 3],
      },
    ],
    chooseDefaultChannels: [
      { act: (client) => create(client, { is_default_stream: true }), who: administrators },
      {
        at: 'later',
        act: async (client) => client.post('default_streams', { stream_id: await stage.newChannel({}) }),
        who: administrators,
      },
      {
        at: 'no longer',
        act: async (client) =>
          client.delete('default_streams', {
            stream_id: await stage.newChannel({ is_default_stream: true }),
          }),
        who: administrators,
      },
    ],
    manageChannelFolders: [
      {
        act: (client) => client.post('channel_folders/create', { name: stage.newName() }),
        who: administrators,
      },
      {
        at: 'their order',
        act: async (client) => {
          const { channel_folders: folders } = await clients.owner.must('get', 'channel_folders');
          const order = (folders as { readonly id: number }[]).map(({ id }) => id);
          return client.patch('channel_folders', { order });
        },
        who: administrators,
      },
    ],
    readChannel: [
      {
        at: 'public',
        act: shared(
          () => stage.said(stage.open),
          (id, client) => client.get(`messages/${id}`),
        ),
        who: living,
      },
      {
        at: 'private',
        act: shared(
          () => stage.said(stage.closed),
          (id, client) => client.get(`messages/${id}`),
        ),
        who: subscribers,
      },
      {
        at: 'private, for those who may subscribe',
        act: shared(
          async () => {
            const place = await stage.anotherChannel({
              invite_only: true,
              history_public_to_subscribers: true,
            });
            const can_subscribe_group = { new: stage.only('outsider') };
            await clients.owner.must('patch', `streams/${place}`, { can_subscribe_group });
            return stage.said(place);
          },
          (id, client) => client.get(`messages/${id}`),
        ),
        who: living,
      },
    ],
    knowChannel: [
      { act: (client) => client.get(`streams/${stage.closed}`), who: subscribers },
      {
        at: 'administered',
        act: shared(
          () => stage.newChannel({ invite_only: true, can_administer_channel_group: stage.only('outsider') }),
          (place, client) => client.get(`streams/${place}`),
        ),
        who: [...administrators, 'outsider'],
      },
    ],
    administerChannel: [
      {
        act: (client) => client.patch(`streams/${stage.open}`, { description: stage.newName() }),
        who: administrators,
      },
      {
        at: 'given to some',
        act: shared(
          () => stage.anotherChannel({ can_administer_channel_group: stage.only('member', 'outsider') }),
          (place, client) => client.patch(`streams/${place}`, { description: stage.newName() }),
        ),
        who: [...administrators, 'member', 'outsider'],
      },
      {
        at: 'archiving',
        act: async (client) => client.delete(`streams/${await stage.anotherChannel()}`),
        who: administrators,
      },
    ],
    openChannel: [
      {
        act: async (client) =>
          client.patch(`streams/${await stage.anotherChannel({ invite_only: true })}`, { is_private: false }),
        who: administrators,
      },
    ],
    setTopicsPolicy: [
      { act: (client) => create(client, { topics_policy: 'disable_empty_topic' }), who: notGuests },
      {
        at: 'given to some',
        act: (client) => create(client, { topics_policy: 'disable_empty_topic' }),
        who: moderators,
        given: ['can_set_topics_policy_group', () => 5, 3],
      },
    ],
    setDeletionPolicy: [
      { act: (client) => create(client, { can_delete_any_message_group: 5 }), who: moderators },
    ],
    subscribe: [
      {
        at: 'public',
        act: async (client) => {
          const name = stage.newName();
          await clients.owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name }] });
          return client.post('users/me/subscriptions', { subscriptions: [{ name }] });
        },
        who: notGuests,
      },
      {
        at: 'private',
        act: async (client) => {
          const name = stage.newName();
          const settings = { invite_only: true, can_subscribe_group: stage.only('outsider') };
          await clients.owner.must('post', 'users/me/subscriptions', {
            subscriptions: [{ name }],
            ...settings,
          });
          return client.post('users/me/subscriptions', { subscriptions: [{ name }] });
        },
        who: ['owner', 'outsider'],
      },
    ],
    addSubscribers: [
      {
        at: 'given by the channel',
        act: async (client) => {
          const name = stage.newName();
          const settings = { can_add_subscribers_group: stage.only('member') };
          await clients.owner.must('post', 'users/me/subscriptions', {
            subscriptions: [{ name }],
            ...settings,
          });
          const request = { subscriptions: [{ name }], principals: [stage.bystander] };
          return client.post('users/me/subscriptions', request);
        },
        who: [...administrators, 'member'],
        given: ['can_add_subscribers_group', () => 8, 3],
      },
    ],
    addSubscribersAnywhere: [
      { act: (client) => create(client, { principals: [stage.bystander] }), who: notGuests },
    ],
    removeSubscribers: [
      {
        act: async (client) => {
          const name = stage.newName();
          const request = { subscriptions: [{ name }], principals: [stage.bystander] };
          await clients.owner.must('post', 'users/me/subscriptions', request);
          return client.delete('users/me/subscriptions', {
            subscriptions: [name],
            principals: [stage.bystander],
          });
        },
        who: administrators,
      },
      {
        at: 'given to some',
        act: async (client) => {
          const name = stage.newName();
          const settings = { can_remove_subscribers_group: stage.only('member') };
          const request = { subscriptions: [{ name }], principals: [stage.bystander], ...settings };
          await clients.owner.must('post', 'users/me/subscriptions', request);
          return client.delete('users/me/subscriptions', {
            subscriptions: [name],
            principals: [stage.bystander],
          });
        },
        who: [...administrators, 'member'],
      },
    ],
  };
}
