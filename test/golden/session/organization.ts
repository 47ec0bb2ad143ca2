import { png, pngOf } from '../../support/images.js';
import { ada, bo, guest, nobody, owner, type Part } from '../support/steps.js';

const picture = { file: { name: 'loom.png', type: 'image/png', bytes: png } };
const hugePicture = { file: { name: 'huge.png', type: 'image/png', bytes: pngOf(60_000, 60_000) } };
const text = { file: { name: 'loom.txt', type: 'text/plain', bytes: Buffer.from('no picture') } };

const field = {
  name: 'Favourite engine',
  field_type: 3,
  field_data: { a: { text: 'Analytical', order: '1' } },
};

/** The organization's data: settings, domains, pictures, emoji, linkifiers, playgrounds, profile fields. */
export const organization: Part = {
  name: '03-organization',
  steps: [
    ada.post('realm/deactivate', { deletion_delay_days: 30 }),
    owner.post('realm/deactivate', { deletion_delay_days: 13 }),
    owner.patch('realm', { name: 'The Loom', description: 'Where we weave', digest_weekday: 3 }),
    owner.patch('realm', { message_content_edit_limit_seconds: 'unlimited', allow_message_editing: true }),
    owner.patch('realm', { message_content_delete_limit_seconds: 600, waiting_period_threshold: 2 }),
    owner.patch('realm', { can_create_groups: { new: 3, old: 4 } }),
    owner.patch('realm', {
      can_create_public_channel_group: {
        new: { direct_members: ['$adaId'], direct_subgroups: ['$weavers'] },
      },
    }),
    owner.patch('realm', { can_create_public_channel_group: { new: 3, old: 4 } }),
    owner.patch('realm', { can_add_custom_emoji_group: { new: 3 } }),
    owner.patch('realm', { can_create_groups: { new: 99999 } }),
    owner.patch('realm', { name: '' }),
    owner.patch('realm', { default_language: 'klingon' }),
    owner.patch('realm', { message_retention_days: 0 }),
    owner.patch('realm', { message_retention_days: 'unlimited' }),
    owner.patch('realm', { topics_policy: 'no_topics' }),
    owner.patch('realm', { org_type: 1000, digest_emails_enabled: false }),
    owner.patch('realm', { no_such_setting: true }),
    owner.patch('realm'),
    ada.patch('realm', { name: 'Mine' }),
    guest.patch('realm', { name: 'Mine' }),

    ada.post('export/realm'),
    owner.post('export/realm', { export_type: 'everything' }),
    owner.post('export/realm', { export_type: 'full_without_consent' }),
    owner.get('export/realm'),
    ada.get('export/realm'),
    owner.get('export/realm/consents'),
    ada.get('export/realm/consents'),
    owner.delete('export/realm/1'),
    owner.get('export/realm/1/file'),

    owner.get('realm/domains'),
    owner.post('realm/domains', { domain: 'example.com', allow_subdomains: true }),
    owner.post('realm/domains', { domain: 'example.com', allow_subdomains: true }),
    owner.post('realm/domains', { domain: 'no domain', allow_subdomains: true }),
    owner.patch('realm/domains/example.com', { allow_subdomains: false }),
    owner.patch('realm/domains/example.org', { allow_subdomains: false }),
    ada.get('realm/domains'),
    ada.post('realm/domains', { domain: 'example.org', allow_subdomains: false }),
    owner.delete('realm/domains/example.com'),
    owner.delete('realm/domains/example.com'),

    owner
      .post('realm/playgrounds', {
        name: 'Rust play',
        pygments_language: 'Rust',
        url_template: 'https://rust.example.com/?code={code}',
      })
      .keep({ playground: 'id' }),
    owner.post('realm/playgrounds', {
      name: 'Rust play',
      pygments_language: 'Rust',
      url_template: 'https://rust.example.com/?code={code}',
    }),
    owner.post('realm/playgrounds', {
      name: 'C',
      pygments_language: 'C',
      url_template: 'https://c.example.com/',
    }),
    ada.post('realm/playgrounds', {
      name: 'C',
      pygments_language: 'C',
      url_template: 'https://c.example.com/?{code}',
    }),
    owner
      .post('realm/playgrounds', {
        name: 'C',
        pygments_language: 'C',
        url_template: 'https://c.example.com/{code}',
      })
      .keep({ otherPlayground: 'id' }),
    owner.delete('realm/playgrounds/$otherPlayground'),
    owner.delete('realm/playgrounds/99999'),
    ada.delete('realm/playgrounds/$playground'),

    owner.get('realm/icon'),
    owner.post('realm/icon', {}, picture),
    owner.post('realm/icon', {}, text),
    owner.post('realm/icon', {}, hugePicture),
    owner.post('realm/icon'),
    ada.post('realm/icon', {}, picture),
    nobody.get('server_settings').keep({ icon: 'realm_icon' }),
    nobody.get('realm/icon'),
    nobody.get('$icon'),
    nobody.get('/user_avatars/1/realm/no-such.png'),
    owner.delete('realm/icon'),
    ada.delete('realm/icon'),
    owner.post('realm/logo', { night: true }, picture),
    owner.post('realm/logo', {}, picture),
    ada.post('realm/logo', { night: false }, picture),
    nobody.get('realm/logo', { night: true }),
    nobody.get('realm/logo', { night: false }),
    nobody.get('realm/logo'),
    guest.get('realm/logo', { night: true }),
    guest.get('realm/logo', { night: false }),
    owner.delete('realm/logo', { night: true }),
    owner.delete('realm/logo'),
    ada.delete('realm/logo', { night: true }),

    ada.post('realm/emoji/loom', {}, picture),
    ada.post('realm/emoji/loom', {}, picture),
    ada.post('realm/emoji/Bad Name', {}, picture),
    ada.post('realm/emoji/shuttle', {}, text),
    ada.post('realm/emoji/shuttle'),
    ada.post('realm/emoji/octopus', {}, picture),
    guest.post('realm/emoji/gus', {}, picture),
    ada.get('realm/emoji').keep({ loomImage: 'emoji.1.source_url' }),
    nobody.get('$loomImage'),
    nobody.get('/user_avatars/1/emoji/images/99999.png'),
    ada.post('realm/emoji/spare', {}, picture),
    bo.delete('realm/emoji/spare'),
    ada.delete('realm/emoji/spare'),
    ada.delete('realm/emoji/no_such'),

    owner
      .post('realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/issues/{id}' })
      .keep({ linkifier: 'id' }),
    owner
      .post('realm/filters', {
        pattern: 'LOOM-(?P<id>[0-9]+)',
        url_template: 'https://loom.example.com/{id}',
        example_input: 'LOOM-7',
        reverse_template: 'LOOM-{id}',
      })
      .keep({ otherLinkifier: 'id' }),
    owner.post('realm/filters', { pattern: '(', url_template: 'https://example.com/{id}' }),
    owner.post('realm/filters', { pattern: 'x(?P<id>[0-9]+)', url_template: 'https://example.com/{other}' }),
    owner.post('realm/filters', { pattern: 'x' }),
    ada.post('realm/filters', { pattern: 'x(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }),
    ada.get('realm/linkifiers'),
    owner.patch('realm/linkifiers', { ordered_linkifier_ids: ['$otherLinkifier', '$linkifier'] }),
    owner.patch('realm/linkifiers', { ordered_linkifier_ids: ['$otherLinkifier'] }),
    ada.patch('realm/linkifiers', { ordered_linkifier_ids: [] }),
    owner.patch('realm/filters/$otherLinkifier', {
      example_input: 'L-7',
      reverse_template: 'L-{id}',
      pattern: 'L-(?P<id>[0-9]+)',
      url_template: 'https://loom.example.com/{id}',
    }),
    owner.patch('realm/filters/99999', {
      pattern: 'L-(?P<id>[0-9]+)',
      url_template: 'https://loom.example.com/{id}',
    }),
    owner.delete('realm/filters/$otherLinkifier'),
    owner.delete('realm/filters/$otherLinkifier'),
    guest.delete('realm/filters/$linkifier'),

    owner
      .post('realm/profile_fields', {
        ...field,
        hint: 'The one you would weave with',
        display_in_profile_summary: true,
      })
      .keep({ engineField: 'id' }),
    owner.post('realm/profile_fields', { field_type: 4, name: 'Born' }).keep({ bornField: 'id' }),
    owner
      .post('realm/profile_fields', { field_type: 7, field_data: { subtype: 'github' } })
      .keep({ accountField: 'id' }),
    owner.post('realm/profile_fields', field),
    owner.post('realm/profile_fields', { field_type: 99, name: 'What' }),
    owner.post('realm/profile_fields', { field_type: 3, name: 'Empty' }),
    ada.post('realm/profile_fields', { field_type: 1, name: 'Mine' }),
    guest.get('realm/profile_fields'),
    owner.patch('realm/profile_fields', { order: ['$bornField', '$engineField', '$accountField'] }),
    owner.patch('realm/profile_fields', { order: [99999] }),
    owner.patch('realm/profile_fields/$engineField', { hint: 'Which one?', required: true }),
    owner.patch('realm/profile_fields/99999', { hint: 'Which one?' }),
    ada.patch('users/me/profile_data', {
      data: [
        { id: '$engineField', value: 'a' },
        { id: '$bornField', value: '1815-12-10' },
      ],
    }),
    ada.patch('users/me/profile_data', { data: [{ id: '$engineField', value: 'z' }] }),
    ada.patch('users/me/profile_data', { data: [{ id: '$bornField', value: 'yesterday' }] }),
    ada.patch('users/me/profile_data', { data: 'a' }),
    owner.patch('users/$boId', { profile_data: [{ id: '$engineField', value: 'a' }] }),
    bo.get('users/$adaId', { include_custom_profile_fields: true }),
    ada.delete('users/me/profile_data', { data: ['$bornField'] }),
    ada.delete('users/me/profile_data', { data: [99999] }),
    owner.delete('realm/profile_fields/$accountField'),
    owner.delete('realm/profile_fields/$accountField'),
    ada.delete('realm/profile_fields/$bornField'),
  ],
};
