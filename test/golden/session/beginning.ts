import { ada, bo, bot, guest, nobody, owner, type Part } from '../support/steps.js';
import { usualCapabilities } from '../../support/listener.js';

const password = 'mauve loom 1843';
const logIn = 'fetch_api_key';

/** Creates the people of the session, who log in and register event queues. */
export const beginning: Part = {
  name: '01-beginning',
  steps: [
    nobody.get('server_settings'),
    nobody.get('/health/live'),
    nobody.get('/'),
    nobody.get('users/me'),
    nobody.get('users/me', {}, { headers: { authorization: 'Basic nonsense' } }),
    owner.get('users/me').keep({ ownerId: 'user_id' }),

    owner
      .post('users', { email: 'ada@example.com', password, full_name: 'Ada Lovelace' })
      .keep({ adaId: 'user_id' }),
    owner
      .post('users', { email: 'bo@example.com', password, full_name: 'Bo Weaver' })
      .keep({ boId: 'user_id' }),
    owner
      .post('users', { email: 'gus@example.com', password, full_name: 'Gus Guest' })
      .keep({ guestId: 'user_id' }),
    owner
      .post('users', { email: 'cy@example.com', password, full_name: 'Cy Borg' })
      .keep({ cyId: 'user_id' }),
    owner.post('users', { email: 'ada@example.com', password, full_name: 'Ada Again' }),
    owner.post('users', { email: 'no address', password, full_name: 'Nobody' }),
    owner.post('users', { email: 'dot@example.com', password: '123', full_name: 'Dot' }),
    owner.post('users', { email: 'dot@example.com', password, full_name: '*' }),
    owner.post('users', { password }),

    nobody
      .post(logIn, { username: 'ada@example.com', password })
      .keep({ adaEmail: 'email', adaKey: 'api_key' }),
    nobody.post(logIn, { username: 'bo@example.com', password }).keep({ boEmail: 'email', boKey: 'api_key' }),
    nobody
      .post(logIn, { username: 'gus@example.com', password })
      .keep({ guestEmail: 'email', guestKey: 'api_key' }),
    nobody.post(logIn, { username: 'ada@example.com', password: 'wrong' }),
    nobody.post(logIn, { username: 'nobody@example.com', password }),
    nobody.post(logIn, { username: 'ada@example.com' }),
    nobody.post('jwt/fetch_api_key', { token: '$adaToken' }).after(1),
    nobody.post('jwt/fetch_api_key', { token: '$adaToken', include_profile: true }).after(1),
    nobody.post('jwt/fetch_api_key', { token: 'nonsense' }),
    nobody.post('jwt/fetch_api_key'),

    owner.patch('users/$guestId', { role: 600 }),
    ada.post('users', { email: 'dot@example.com', password, full_name: 'Dot' }),
    guest.get('users/me'),
    ada
      .post('bots', { full_name: 'Loom Bot', short_name: 'loom' })
      .keep({ botId: 'user_id', botKey: 'api_key' }),
    ada.get('users/$botId').keep({ botEmail: 'user.email' }),
    ada
      .post('bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
      .keep({ hookId: 'user_id', hookKey: 'api_key' }),
    ada.post('bots', { full_name: 'Loom Bot', short_name: 'loom2' }),
    ada.post('bots', { full_name: 'Other', short_name: 'other', bot_type: 9 }),
    guest.post('bots', { full_name: 'Gusto', short_name: 'gusto' }),
    bot.post('bots', { full_name: 'Child', short_name: 'child' }),
    bot.get('users/me'),

    ada
      .post('register', {
        client_capabilities: usualCapabilities,
        slim_presence: true,
        include_subscribers: true,
      })
      .keep({ adaQueue: 'queue_id' }),
    guest.post('register', { fetch_event_types: [] }).keep({ guestQueue: 'queue_id' }),
    bot
      .post('register', {
        event_types: ['message', 'reaction', 'update_message', 'submessage', 'realm'],
        apply_markdown: true,
        all_public_streams: true,
      })
      .keep({ botQueue: 'queue_id' }),
    owner
      .post('register', {
        event_types: ['invites_changed', 'realm_bot', 'realm_user', 'user_group', 'realm_domains', 'realm'],
        fetch_event_types: ['realm_user', 'realm_bot', 'user_group'],
        client_gravatar: false,
      })
      .keep({ ownerQueue: 'queue_id' }),
    bo.post('register', { event_types: ['no_such_type'] }),
    bo.post('register', { event_types: 'message' }),
    bo.post('register', { client_capabilities: { notification_settings_null: 'maybe' } }),
    nobody.post('register'),
  ],
};
