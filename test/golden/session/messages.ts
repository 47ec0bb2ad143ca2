import { ada, bo, bot, guest, nobody, owner, type Part } from '../support/steps.js';

const page = { anchor: 'newest', num_before: 20, num_after: 0 };
const inEngines = { operator: 'channel', operand: 'engines' };
const everything = { ...page, narrow: [inEngines] };

const everyStyle = [
  '# Heading',
  '**bold** *slanted* ~~struck~~ `code` [a link](https://example.com) https://example.com/page?a=1',
  '* one\n* two\n  * three',
  '```python\nprint("loom")\n```',
  '```spoiler Hidden\nThe *end*\n```',
  '> quoted',
  '| a | b |\n|---|:-:|\n| 1 | 2 |',
  ':octopus: :loom: :no_such: @**Ada Lovelace** @_**Bo the Weaver** @*weavers* @**all** #**engines** #**engines>notes** #7',
  '<time:2026-05-01T12:00:00Z> <script>alert(1)</script> /me ![picture](https://example.com/a.png)',
].join('\n\n');

/** Sending, reading, searching, editing, moving and deleting messages. */
export const messages: Part = {
  name: '05-messages',
  steps: [
    ada
      .post('messages', { type: 'channel', to: '$engines', topic: 'notes', content: 'Note **G** is ready.' })
      .keep({ note: 'id' }),
    bo
      .post('messages', {
        type: 'stream',
        to: 'engines',
        topic: 'notes',
        content: 'Well done, @**Ada Lovelace**! See #7.',
        read_by_sender: true,
      })
      .keep({ praise: 'id' }),
    ada
      .post('messages', { type: 'channel', to: 'engines', topic: 'styles', content: everyStyle })
      .keep({ styles: 'id' }),
    ada
      .post('messages', { type: 'direct', to: ['$boId', '$guestId'], content: 'Only for *you*' })
      .keep({ secret: 'id' }),
    ada
      .post('messages', {
        type: 'private',
        to: 'bo@example.com',
        content: 'By address',
        queue_id: '$adaQueue',
        local_id: '7.01',
      })
      .keep({ byAddress: 'id' }),
    bot
      .post('messages', { type: 'channel', to: 'engines', topic: 'notes', content: 'beep' })
      .keep({ beep: 'id' }),
    ada
      .post('messages', { type: 'channel', to: 'lab', topic: 'plans', content: 'Secret plans' })
      .keep({ plans: 'id' }),
    guest
      .post('messages', { type: 'channel', to: 'hall', topic: 'hello', content: 'Hello from a guest' })
      .keep({ greeting: 'id' }),
    ada.post('messages', { type: 'channel', to: 'hall', topic: '', content: 'Without a topic' }),
    ada.post('messages/render', {
      content: '#**engines>notes** #**engines>unheard of** #**hall>** #**lab>plans**',
    }),
    guest.post('messages/render', { content: '#**engines>notes** #**hall>hello** #**lab>plans**' }),
    ada.post('messages', { type: 'channel', to: 'hall', topic: 'hello', content: '/me waves' }),
    ada.post('messages', { type: 'channel', to: 'hall', topic: 'x'.repeat(70), content: 'A long topic' }),
    ada.post('messages', { type: 'channel', to: 'no such channel', topic: 'a', content: 'b' }),
    ada.post('messages', { type: 'channel', to: 99999, topic: 'a', content: 'b' }),
    ada.post('messages', { type: 'channel', to: 'engines', topic: 'a', content: ' ' }),
    ada.post('messages', { type: 'channel', to: 'engines', topic: 'a', content: 'x'.repeat(10_001) }),
    ada.post('messages', { type: 'channel', to: 'engines', content: 'b' }),
    ada.post('messages', { type: 'direct', to: [99999], content: 'b' }),
    ada.post('messages', { type: 'direct', to: [], content: 'b' }),
    ada.post('messages', { type: 'pigeon', to: 'engines', content: 'b' }),
    ada.post('messages', { type: 'direct', to: ['$boId'] }),
    bo.post('messages', { type: 'channel', to: 'lab', topic: 'a', content: 'b' }),
    bot.post('messages', { type: 'channel', to: 'no such channel', topic: 'a', content: 'b' }),
    nobody.post('messages', { type: 'channel', to: 'engines', topic: 'a', content: 'b' }),

    ada.get('messages/$note'),
    bo.get('messages/$styles'),
    bo.get('messages/$styles', { apply_markdown: false }),
    guest.get('messages/$secret'),
    bo.get('messages/$plans'),
    bo.get('messages/99999'),
    nobody.get('messages/$note'),
    ada.post('messages/render', { content: '$$\\int_0^1 x^2$$ and\n```math\nx\n```' }),
    ada.post('messages/render', { content: 'Is **this** right? LOOM-3 #3' }),
    ada.post('messages/render', { content: 'x'.repeat(10_001) }),
    ada.post('messages/render'),

    ada.get('messages', everything),
    bo.get('messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 2,
      apply_markdown: false,
      client_gravatar: false,
    }),
    bo.get('messages', {
      anchor: '$praise',
      num_before: 1,
      num_after: 1,
      include_anchor: false,
      narrow: [inEngines],
    }),
    bo.get('messages', { anchor: 'first_unread', num_before: 1, num_after: 1, narrow: [inEngines] }),
    bo.get('messages', { anchor: 'date', anchor_date: '2026-01-01T00:00:00Z', num_before: 0, num_after: 1 }),
    bo.get('messages', { message_ids: ['$note', '$plans', '$praise'] }),
    ada.get('messages', { ...page, narrow: [{ operator: 'search', operand: 'ready' }] }),
    ada.get('messages', { ...page, narrow: [{ operator: 'is', operand: 'dm' }] }),
    ada.get('messages', { ...page, narrow: [{ operator: 'is', operand: 'mentioned' }] }),
    ada.get('messages', {
      ...page,
      narrow: [{ operator: 'dm', operand: ['$boId', '$guestId'] }],
      apply_markdown: false,
    }),
    ada.get('messages', { ...page, num_before: 2, narrow: [{ operator: 'sender', operand: '$boId' }] }),
    ada.get('messages', {
      ...page,
      narrow: [
        { operator: 'sender', operand: '$boId', negated: true },
        ['channel', 'engines'],
        ['topic', 'notes'],
      ],
    }),
    ada.get('messages', { ...page, narrow: [{ operator: 'has', operand: 'link' }] }),
    ada.get('messages', { ...page, narrow: [{ operator: 'mystery', operand: 'x' }] }),
    ada.get('messages', { ...page, narrow: [{ operator: 'channel', operand: 'no such channel' }] }),
    ada.get('messages', { ...page, narrow: 'nonsense' }),
    ada.get('messages', { anchor: 'newest', num_before: 6000, num_after: 0 }),
    ada.get('messages', { anchor: 'tomorrow', num_before: 1, num_after: 0 }),
    ada.get('messages', { anchor: 'newest' }),
    guest.get('messages', { ...page, narrow: [{ operator: 'channels', operand: 'public' }] }),
    nobody.get('messages', page),
    bo.get('messages/matches_narrow', {
      msg_ids: ['$note', '$praise', '$greeting'],
      narrow: [['search', 'note']],
    }),
    bo.get('messages/matches_narrow', { msg_ids: ['$note'], narrow: [['mystery', 'x']] }),

    ada.patch('messages/$note', { content: 'Note **G** is finished.' }).after(2),
    ada.patch('messages/$note', { content: 'Note **G** is done.', prev_content_sha256: 'a'.repeat(64) }),
    ada.patch('messages/$note', { content: 'Note **G** is published, @**Bo the Weaver**.' }).after(2),
    ada.patch('messages/$byAddress', { content: '' }),
    ada.patch('messages/$praise', { content: 'Not mine' }),
    bo.patch('messages/$plans', { content: 'Not seen' }),
    ada.patch('messages/$note'),
    ada.patch('messages/99999', { content: 'None' }),
    ada.get('messages/$note/history'),
    bo.get('messages/$note/history', { apply_markdown: false }),
    bo.get('messages/$plans/history'),
    bo.get('messages/$note/read_receipts'),
    owner.patch('realm', { enable_read_receipts: true }),
    bo.get('messages/$note/read_receipts'),
    bo.get('messages/$plans/read_receipts'),

    ada.patch('messages/$styles', {
      topic: 'many styles',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: true,
    }),
    ada.patch('messages/$styles', { topic: '✔ many styles', propagate_mode: 'change_all' }),
    ada.patch('messages/$praise', {
      topic: 'praise',
      propagate_mode: 'change_one',
      send_notification_to_old_thread: true,
    }),
    ada.patch('messages/$styles', {
      stream_id: '$hall',
      propagate_mode: 'change_later',
      send_notification_to_new_thread: true,
    }),
    ada.patch('messages/$styles', { stream_id: 99999 }),
    ada.patch('messages/$styles', { topic: 'a', propagate_mode: 'some' }),
    ada.patch('messages/$styles', { stream_id: '$hall', content: 'both' }),
    ada.patch('messages/$secret', { topic: 'a' }),
    guest.patch('messages/$greeting', { topic: 'moved by guest' }),
    ada.get('messages/$styles/history'),
    bo.get('users/me/$engines/topics'),
    ada.get('users/me/$hall/topics', { allow_empty_topic_name: true }),
    bo.get('users/me/$lab/topics'),

    bot.delete('messages/$beep'),
    owner.delete('messages/$beep'),
    ada.delete('messages/$beep'),
    ada.get('messages/$beep'),
    bo.delete('messages/$note'),
    owner.post('streams/$hall/delete_topic', { topic_name: 'hello' }),
    bo.post('streams/$engines/delete_topic', { topic_name: 'notes' }),
    owner.post('streams/$lab/delete_topic', { topic_name: 'plans' }),
    owner.post('streams/$hall/delete_topic', { topic_name: 'no such topic' }),
  ],
};
