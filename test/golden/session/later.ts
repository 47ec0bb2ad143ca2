import { ada, bo, guest, letter, nobody, owner, type Part } from '../support/steps.js';

const newestDirect = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['is', 'dm']] };

/** What comes due after hours, which end every queue of events, and what auditors read of it all. */
export const later: Part = {
  name: '11-later',
  leavesQueues: true,
  steps: [
    // Letters about what was missed, then what was scheduled, then what somebody asked to be reminded of. The request that moves
    // the clock shows nothing that may have come due already.
    nobody.get('/health/live').after(600),
    letter('bo.weaver@example.com', {}, 1),
    letter('jo@example.com'),
    nobody.get('/health/live').after(3600),
    bo.get('messages', newestDirect).until('messages.0.content', '<p>In an hour</p>'),
    ada.get('scheduled_messages').until('scheduled_messages', []),
    nobody.get('/health/live').after(3600),
    bo.get('messages', newestDirect).until('messages.0.client', 'Internal'),
    bo.get('reminders').until('reminders', []),
    guest.delete('users/me'),
    guest.get('users/me'),

    owner.get('audit/log', { message_id: '$note' }),
    owner.get('audit/log', { type: 'MessageSent', limit: 2 }),
    owner.get('audit/log', { stream: 'channels', actor: 'ada@example.com', limit: 3 }),
    owner.get('audit/log', { limit: 0 }),
    owner.get('audit/log', { type: 'NoSuchEvent' }),
    owner.get('audit/log', { colour: 'mauve' }),
    ada.get('audit/log'),
    owner.get('audit/messages/$note/history'),
    owner.get('audit/messages/$beep/history'),
    owner.get('audit/messages/99999/history'),
    ada.get('audit/messages/$note/history'),
    owner.get('audit/projections'),
  ],
};
