import { ada, bo, guest, letter, nobody, owner, type Part } from '../support/steps.js';

const password = 'mauve loom 1843';

const withWelcomeBot = {
  anchor: 'newest',
  num_before: 1,
  num_after: 0,
  narrow: [{ operator: 'dm', operand: [2] }],
};

/**
 * Invitations, joining, changed addresses and forgotten passwords, with the e-mails and the pages that these link
 * to.
 */
export const newcomers: Part = {
  name: '09-newcomers',
  steps: [
    owner.post('invites', {
      invitee_emails: 'Dot <dot@example.com>',
      stream_ids: ['$engines'],
      group_ids: ['$weavers'],
      invite_as: 400,
      welcome_message_custom_text: 'Ask **Ada** for a desk.',
    }),
    letter('dot@example.com', { dotToken: /\/join\/(\S+)/ }),
    owner.post('invites', {
      invitee_emails: 'ada@example.com, eve@example.com',
      stream_ids: [],
      include_realm_default_subscriptions: true,
    }),
    owner.post('invites', { invitee_emails: 'nobody', stream_ids: [] }),
    owner.post('invites', { invitee_emails: '', stream_ids: [] }),
    owner.post('invites', { invitee_emails: 'eve@example.com', stream_ids: [99999] }),
    owner.post('invites', { invitee_emails: 'eve@example.com', stream_ids: [], invite_as: 150 }),
    guest.post('invites', { invitee_emails: 'eve@example.com', stream_ids: [] }),
    ada.post('invites', { invitee_emails: 'eve@example.com', stream_ids: [], invite_as: 100 }),
    owner
      .post('invites/multiuse', { stream_ids: ['$hall'], invite_expires_in_minutes: 60 })
      .keep({ link: 'invite_link', linkToken: /\/join\/([^"]+)"/ }),
    owner.post('invites/multiuse', { invite_expires_in_minutes: -1 }),
    guest.post('invites/multiuse'),
    owner
      .get('invites')
      .keep({ firstInvite: 'invites.0.id', secondInvite: 'invites.1.id', multiuse: 'invites.2.id' }),
    bo.get('invites'),
    owner.post('invites/$firstInvite/resend'),
    letter('dot@example.com', { dotToken: /\/join\/(\S+)/ }, 1),
    owner.post('invites/99999/resend'),

    nobody.get('/join/$dotToken'),
    nobody.get('/join/nonsense'),
    nobody.post('join', { token: '$dotToken', full_name: 'D', password: '123' }),
    nobody.post('join', { token: 'nonsense', full_name: 'Dot', password }),
    nobody.post('join', { token: '$dotToken', full_name: 'Dot Matrix', password }).keep({ dotId: 'user_id' }),
    nobody.post('join', { token: '$dotToken', full_name: 'Dot Again', password }),
    nobody.get('/join/$dotToken'),
    owner.get('users/$dotId'),
    owner.post('realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Ask **Ada**.' }),
    ada.post('realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Ask **Ada**.' }),
    owner.post('realm/test_welcome_bot_custom_message', { welcome_message_custom_text: ' ' }),
    ada.post('messages', { type: 'direct', to: [2], content: 'Topics?' }),
    ada.get('messages', withWelcomeBot).until('messages.0.sender_id', 2),

    nobody.post('join_requests', { email: 'fay@example.com' }),
    nobody.get('$link'),
    nobody.post('join_requests', { email: 'fay@example.com', token: '$linkToken' }),
    letter('fay@example.com', { fayToken: /\/join\/(\S+)/ }),
    nobody.post('/join/$fayToken', { full_name: 'Fay Weft', password }),
    nobody.post('join_requests', { email: 'no address', token: '$linkToken' }),
    owner.patch('realm', { invite_required: false }),
    nobody.post('join_requests', { email: 'gil@example.com' }),
    letter('gil@example.com'),
    owner.patch('realm', { invite_required: true }),
    owner.delete('invites/$secondInvite'),
    owner.delete('invites/$secondInvite'),
    owner.delete('invites/multiuse/$multiuse'),
    ada.delete('invites/multiuse/$multiuse'),
    nobody.get('$link'),

    bo.patch('settings', { email: 'bo.weaver@example.com' }),
    letter('bo.weaver@example.com', { emailToken: /confirm_new_email\/(\S+)/ }),
    nobody.post('accounts/confirm_new_email', { token: 'nonsense' }),
    nobody.post('accounts/confirm_new_email', { token: '$emailToken' }).keep({ boEmail: 'email' }),
    nobody.post('accounts/confirm_new_email', { token: '$emailToken' }),
    nobody.get('/accounts/confirm_new_email/$emailToken'),
    letter('bo@example.com'),
    letter('ada@example.com'),
    letter('eve@example.com'),
    bo.get('users/me'),
    nobody.post('accounts/password/reset', { email: 'cy@example.com' }),
    letter('cy@example.com', { resetToken: /password\/reset\/(\S+)/ }),
    nobody.post('accounts/password/reset', { email: 'nobody@example.com' }),
    nobody.post('accounts/password/reset'),
    nobody.get('/accounts/password/reset/$resetToken'),
    nobody.post('accounts/password/set', { token: '$resetToken', new_password: '123' }),
    nobody.post('accounts/password/set', { token: '$resetToken', new_password: 'from a letter 1845' }),
    nobody.post('accounts/password/set', { token: '$resetToken', new_password: 'from a letter 1845' }),
    nobody.post('/accounts/password/reset/$resetToken', { new_password: 'from a page 1846' }),
    nobody.get('/accounts/not_me'),
    nobody.post('fetch_api_key', { username: 'cy@example.com', password: 'from a letter 1845' }),
  ],
};
