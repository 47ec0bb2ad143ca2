import { png } from '../../support/images.js';
import { ada, bo, bot, guest, nobody, request, type Part, type SendOptions } from '../support/steps.js';

const plan = {
  file: { name: 'plan of the loom.txt', type: 'text/plain', bytes: Buffer.from('warp and weft\n') },
};
const picture = { file: { name: 'loom.png', type: 'image/png', bytes: png } };
const page = {
  file: { name: 'page.html', type: 'text/html', bytes: Buffer.from('<script>alert(1)</script>') },
};

/** The options of a request to the resumable-upload endpoints. */
function tus(headers: Readonly<Record<string, string>>): SendOptions {
  return { headers: { 'tus-resumable': '1.0.0', ...headers } };
}

/** The same with a part of a file as body. */
function part(headers: Readonly<Record<string, string>>): SendOptions {
  return { ...tus(headers), body: { type: 'application/offset+octet-stream', text: 'weft' } };
}

/** Uploads, and requests of other programs. */
export const files: Part = {
  name: '08-files',
  steps: [
    ada.post('user_uploads', {}, plan).keep({ plan: 'url', planPlace: /user_uploads\/([^"]+)"/ }),
    ada.post('user_uploads', {}, picture).keep({ picture: 'url', picturePlace: /user_uploads\/([^"]+)"/ }),
    ada.get('/api/v1/thumbnail/status/$picturePlace').until('has_thumbnail', true),
    ada.get('/user_uploads/thumbnail/$picturePlace/840x560.webp'),
    ada.get('/user_uploads/thumbnail/$picturePlace/picture.webp'),
    ada.post('user_uploads', {}, page).keep({ page: 'url' }),
    ada.post('user_uploads'),
    nobody.post('user_uploads', {}, plan),
    request('nobody', 'OPTIONS', ['tus']),
    request('nobody', 'OPTIONS', ['tus/0123456789abcdef']),
    ada.post('tus'),
    ada.post('tus', {}, tus({})),
    ada.post('tus', {}, tus({ 'upload-length': '999999999' })),
    request('ada', 'HEAD', ['tus/0123456789abcdef', tus({})]),
    ada.patch('tus/0123456789abcdef', {}, part({ 'upload-offset': '0' })),
    ada.patch('tus/0123456789abcdef', {}, part({})),
    ada.delete('tus/0123456789abcdef', {}, tus({})),
    ada.get('$plan'),
    ada.get('$picture'),
    ada.get('$page'),
    ada.get('$plan', {}, { headers: { range: 'bytes=5-7' } }),
    ada.get('$plan', {}, { headers: { range: 'bytes=99-' } }),
    bo.get('$plan'),
    nobody.get('$plan'),
    ada
      .post('messages', {
        type: 'channel',
        to: 'engines',
        topic: 'files',
        content: '[plan]($plan) and ![picture]($picture)',
      })
      .keep({ attached: 'id' }),
    bo.get('$plan'),
    bo.get('messages/$attached'),
    guest.get('$plan'),
    ada.get('/user_uploads/1/aa/bbbbbbbbbbbb/no-such.txt'),
    ada.get('/api/v1$plan').keep({ temporary: 'url' }),
    nobody.get('$temporary'),
    nobody.get('/user_uploads/temporary/nonsense/plan.txt'),
    guest.get('/api/v1$plan'),
    bo.get('/user_uploads/download/$planPlace'),
    ada.get('attachments').keep({ attachment: 'attachments.0.id' }),
    bo.get('attachments'),
    bo.delete('attachments/$attachment'),
    ada.delete('attachments/$attachment'),
    ada.delete('attachments/$attachment'),

    nobody.post(
      'external/json?api_key=$hookKey&stream=engines&topic=builds',
      {},
      { body: { type: 'application/json', text: '{"ready":true}' } },
    ),
    nobody.post(
      'external/json?api_key=$hookKey',
      {},
      { body: { type: 'application/json', text: '{"direct":1}' } },
    ),
    nobody.post('external/slack_incoming?api_key=$hookKey&stream=engines&topic=builds', {
      payload: '{"text":"*up* <https://example.com|page>"}',
    }),
    nobody.post(
      'external/json?api_key=$hookKey&stream=nowhere',
      {},
      { body: { type: 'application/json', text: '{}' } },
    ),
    nobody.post(
      'external/json?api_key=$hookKey&stream=engines',
      {},
      { body: { type: 'application/json', text: 'nonsense' } },
    ),
    nobody.post(
      'external/json?api_key=wrong&stream=engines',
      {},
      { body: { type: 'application/json', text: '{}' } },
    ),
    nobody.post('external/json', {}, { body: { type: 'application/json', text: '{}' } }),
    nobody.post('external/no_such?api_key=$hookKey', {}, { body: { type: 'application/json', text: '{}' } }),
    nobody.post(
      'external/github?api_key=$hookKey&stream=engines',
      {},
      { body: { type: 'application/json', text: '{}' }, headers: { 'x-github-event': 'ping' } },
    ),
    bot.get('messages', {
      anchor: 'newest',
      num_before: 3,
      num_after: 0,
      apply_markdown: false,
      narrow: [['topic', 'builds']],
    }),
    nobody.get('/static/emoji.json').briefly(),
    nobody.get('/static/images/default-avatar.png'),
  ],
};
