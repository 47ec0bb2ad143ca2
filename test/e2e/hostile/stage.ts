import type { ApiClient } from '../../support/api-client.js';
import { png } from '../../support/images.js';
import type { TestServer } from '../../support/server.js';
import type { RightValues } from './requests.js';

/** Makes one of everything that requests name, as the document of the API names it; answers what is right of the rest. */
export async function setStage(server: TestServer, owner: ApiClient): Promise<RightValues> {
  const engines = await owner.createChannel('engines');
  const ada = { email: 'ada@example.com', password: 'mauve-loom-1843', full_name: 'Ada Quill' };
  const { user_id: adaId } = await owner.must('post', 'users', ada);
  const { id: botId } = await server.createBot(owner, 'crowd');
  const hook = await owner.must('post', 'bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
  const toEngines = { type: 'channel', to: engines, topic: 'notes', content: 'Note **G**' };
  const { id: messageId } = await owner.must('post', 'messages', toEngines);
  const { group_id: groupId } = await owner.must('post', 'user_groups/create', {
    name: 'carders',
    description: '',
    members: [adaId],
  });
  await owner.must('post', 'default_stream_groups/create', {
    group_name: 'Spinners',
    description: '',
    stream_names: ['engines'],
  });
  await owner.must('post', 'realm/filters', {
    pattern: 'T(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  });
  await owner.must('post', 'realm/profile_fields', { name: 'Engine', field_type: 1 });
  await owner.must('post', 'drafts', {
    drafts: [{ type: 'stream', to: [engines], topic: 'notes', content: 'G' }],
  });
  await owner.must('post', 'scheduled_messages', {
    ...toEngines,
    scheduled_delivery_timestamp: 4_102_444_800,
  });
  await owner.must('post', 'reminders', {
    message_id: messageId,
    scheduled_delivery_timestamp: 4_102_444_800,
  });
  await owner.must('post', 'saved_snippets', { title: 'Sign-off', content: 'Yours' });
  await owner.must('post', 'channel_folders/create', { name: 'Looms' });
  await owner.upload('realm/emoji/loom', new File([new Uint8Array(png)], 'loom.png'));
  await owner.upload('user_uploads', new File(['text'], 'a.txt'));
  const { queue_id: queueId } = await owner.must('post', 'register', { event_types: ['message'] });
  return {
    user_id: adaId,
    user_id_or_email: adaId,
    bot_id: botId,
    group_id: groupId,
    stream_id: engines,
    stream_names: ['engines'],
    message_id: messageId,
    emoji_name: 'loom',
    integration: 'json',
    api_key: hook['api_key'],
    queue_id: queueId,
    last_event_id: -1,
    dont_block: true,
    domain: 'example.com',
    fragment: 'narrow/has/link',
    organization: '1',
    op: 'add',
    old_password: 'x',
    ...Object.fromEntries(numbered.map((name) => [name, 1])),
  };
}

/** What is numbered from one. */
const numbered = [
  ...[
    'draft_id',
    'reminder_id',
    'scheduled_message_id',
    'saved_snippet_id',
    'field_id',
    'filter_id',
    'playground_id',
  ],
  ...['attachment_id', 'channel_folder_id', 'invite_id', 'device_id'],
];
