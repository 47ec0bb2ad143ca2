import { ada, bo, bot, guest, letter, nobody, owner, type Part } from '../support/steps.js';
import { usualCapabilities } from '../../support/listener.js';
import { grownState } from './registrations.js';

/** Errors that any operation can answer, event queues, and people who leave. */
export const ending: Part = {
  name: '10-ending',
  steps: [
    nobody.get('no_such_operation'),
    nobody.get('/no/such/page'),
    ada.put('messages/$note'),
    ada.delete('server_settings'),
    ada.post('messages', {}, { body: { type: 'application/json', text: '{"type":"direct"}' } }),
    ada.post('messages', {}, { body: { type: 'text/plain', text: 'type=direct' } }),
    ada.post('typing', {}, { body: { type: 'application/x-www-form-urlencoded', text: 'op=%zz' } }),
    ada.patch('messages/$note', { content: 'Note **G** is out.', surplus: 1 }),
    ada.get('messages/nonsense'),
    ada.get('users/me', { surplus: 1 }),
    nobody.get('users/me', {}, { headers: { authorization: 'Bearer token' } }),
    nobody.get(
      'users/me',
      {},
      { headers: { authorization: `Basic ${Buffer.from('ada@example.com:wrong').toString('base64')}` } },
    ),
    nobody.get('/api/docs'),
    nobody.get('/ops'),
    guest.get('audit/projections'),
    guest.get('audit/overview'),
    guest.get('audit/operations'),
    guest.post('audit/operations', { operation: 'pause', projection: 'messages' }),

    ada.get('events', { queue_id: '$adaQueue', last_event_id: 2 ** 52, dont_block: true }),
    ada.get('events', { queue_id: 'nonsense', last_event_id: -1, dont_block: true }),
    bo.get('events', { queue_id: '$adaQueue', last_event_id: -1, dont_block: true }),
    ada.get('events', { queue_id: '$adaQueue' }),
    owner.delete('events', { queue_id: '$spareQueue' }),
    owner.delete('events', { queue_id: '$spareQueue' }),
    bo
      .post('register', {
        narrow: [['channel', 'engines']],
        event_types: ['message'],
        idle_queue_timeout: 600,
      })
      .keep({ boQueue: 'queue_id' }),
    bo.get('events', { queue_id: '$boQueue', last_event_id: -1, dont_block: true }),

    owner.delete('users/$dotId', { deactivation_notification_comment: 'x'.repeat(2_001) }),
    owner.delete('users/$dotId', { deactivation_notification_comment: 'Thank you, Dot.' }),
    letter('dot@example.com', {}, 2),
    ada
      .post('bots', {
        full_name: 'Outward',
        short_name: 'outward',
        bot_type: 3,
        payload_url: '"https://looms.example.com/hook"',
      })
      .keep({ outwardId: 'user_id' }),
    ada.patch('bots/$outwardId', {
      service_payload_url: '"https://looms.example.com/"',
      service_interface: 2,
    }),
    ada.patch('bots/$outwardId', { service_interface: 3 }),
    ada.patch('bots/$outwardId', { service_payload_url: '"gopher://looms.example.com/"' }),
    ada.post('register', { fetch_event_types: ['realm_bot'], event_types: ['heartbeat'] }),
    owner.delete('users/$dotId'),
    owner.delete('users/$ownerId'),
    owner.delete('users/99999'),
    ada.delete('users/$boId'),
    ada.get('users/$dotId'),
    nobody.post('fetch_api_key', { username: 'dot@example.com', password: 'mauve loom 1843' }),
    owner.post('users/$dotId/reactivate'),
    owner.post('users/$dotId/reactivate'),
    ada.post('users/$dotId/reactivate'),
    owner.delete('users/$cyId', { actions: { delete_public_channel_messages: true } }),
    bot.get('users/me'),

    // The initial state at the end, for current clients and for clients with few capabilities.
    ada.post('register', {
      event_types: ['heartbeat'],
      fetch_event_types: grownState,
      client_capabilities: usualCapabilities,
      include_subscribers: true,
    }),
    guest.post('register', { event_types: ['heartbeat'], fetch_event_types: grownState }),
  ],
};
