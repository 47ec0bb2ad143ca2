import { describe, expect, it } from '@jest/globals';
import { ada, bo, owner, server } from '../support/ada-and-bo.js';
import { ClientQueue } from '../support/client-queue.js';

describe('commands that people type', () => {
  it.each([
    ['/dark', { color_scheme: 2 }],
    ['/light', { color_scheme: 3 }],
    ['/fluid-width', { fluid_layout_width: true }],
    ['/fixed-width', { fluid_layout_width: false }],
  ])('%s change what they say, tell so, and are told of to clients', async (command, settings) => {
    const queue = await ClientQueue.register(ada, ['user_settings'], { user_settings_object: true });
    const reply = await ada.must('post', 'zcommand', { command });
    expect(reply.msg).toMatch(/`\//);
    const [[property, value]] = Object.entries(settings) as [[string, unknown]];
    expect(await queue.next()).toEqual([
      expect.objectContaining({ type: 'user_settings', op: 'update', property, value }),
    ]);
  });

  it('answer a ping, and refuse what is none', async () => {
    expect((await ada.must('post', 'zcommand', { command: '/ping' })).msg).toBe('');
    for (const command of ['ping', '/toString', '', '/dance']) {
      expect((await ada.post('zcommand', { command })).status).toBe(400);
    }
  });
});

describe('a test of what the welcome bot says', () => {
  it('comes from the welcome bot, for administrators alone', async () => {
    const text = 'Ask **Ada** for a desk.';
    const path = 'realm/test_welcome_bot_custom_message';
    const { message_id: id } = await owner.must('post', path, { welcome_message_custom_text: text });
    const { message, raw_content: raw } = await owner.must('get', `messages/${String(id)}`);
    expect([message.sender_full_name, raw]).toEqual(['Welcome Bot', text]);
    const refused = [
      await ada.post(path, { welcome_message_custom_text: text }),
      await owner.post(path, { welcome_message_custom_text: ' ' }),
      await owner.post(path, { welcome_message_custom_text: 'x'.repeat(8001) }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(refused[0]?.body.code).toBe('UNAUTHORIZED_PRINCIPAL');
    const { client: guest, id: guestId } = await server.createUser(owner, 'Guest');
    await owner.must('patch', `users/${guestId}`, { role: 600 });
    expect((await guest.post(path, { welcome_message_custom_text: text })).status).toBe(400);
    expect((await bo.post(path, {})).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});
