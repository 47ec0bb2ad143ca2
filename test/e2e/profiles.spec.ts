import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, owner, server } from '../support/ada-and-bo.js';
import { ApiClient, type Reply } from '../support/api-client.js';

async function fields(): Promise<Reply[]> {
  return (await ada.must('get', 'realm/profile_fields'))['custom_fields'] as Reply[];
}

async function create(name: string, field: object = { field_type: 1 }): Promise<number> {
  return (await owner.must('post', 'realm/profile_fields', { name, ...field }))['id'] as number;
}

async function profileOf(client: ApiClient): Promise<unknown> {
  return (await client.must('get', 'users/me'))['profile_data'];
}

const badRequest = (msg: string): Reply => ({ result: 'error', msg, code: 'BAD_REQUEST' });

describe('custom profile fields', () => {
  it('are of eight types, and listed in the order of their creation', async () => {
    const choices = { b: { text: 'Salad', order: '2' }, a: { text: 'Soup', order: '1' } };
    const ids = [
      await create('Nickname', { field_type: 1, hint: 'short', use_for_user_matching: true }),
      await create('Biography', { field_type: 2, display_in_profile_summary: true }),
      await create('Lunch', { field_type: 3, field_data: choices }),
      await create('Birthday', { field_type: 4, required: true }),
      await create('Home page', { field_type: 5, editable_by_user: false }),
      await create('Mentor', { field_type: 6 }),
      await create('', { field_type: 7, field_data: { subtype: 'github' } }),
      await create('Pronouns', { field_type: 8 }),
    ];
    const plain = { hint: '', field_data: '', required: false, editable_by_user: true };
    expect(await fields()).toEqual([
      {
        ...plain,
        id: ids[0],
        name: 'Nickname',
        type: 1,
        order: 1,
        hint: 'short',
        use_for_user_matching: true,
      },
      { ...plain, id: ids[1], name: 'Biography', type: 2, order: 2, display_in_profile_summary: true },
      { ...plain, id: ids[2], name: 'Lunch', type: 3, order: 3, field_data: JSON.stringify(choices) },
      { ...plain, id: ids[3], name: 'Birthday', type: 4, order: 4, required: true },
      { ...plain, id: ids[4], name: 'Home page', type: 5, order: 5, editable_by_user: false },
      { ...plain, id: ids[5], name: 'Mentor', type: 6, order: 6 },
      {
        ...plain,
        id: ids[6],
        name: 'GitHub username',
        type: 7,
        order: 7,
        field_data: '{"subtype":"github"}',
      },
      { ...plain, id: ids[7], name: 'Pronouns', type: 8, order: 8 },
    ]);
  });

  it('are changed, put in another order and deleted', async () => {
    const id = await create('Shoe size');
    await owner.must('patch', `realm/profile_fields/${id}`, { name: 'Shoes', hint: 'EU', required: true });
    const order = (await fields()).map((field) => field['id'] as number).reverse();
    await owner.must('patch', 'realm/profile_fields', { order });
    const [first] = await fields();
    expect(first).toMatchObject({ id, name: 'Shoes', hint: 'EU', order: 1, required: true });
    await owner.must('delete', `realm/profile_fields/${id}`);
    expect((await fields()).some((field) => field['id'] === id)).toBe(false);
  });

  it('are for administrators to make, change, order and delete', async () => {
    const [first] = await fields();
    const path = `realm/profile_fields/${first?.['id']}`;
    for (const answer of [
      await ada.post('realm/profile_fields', { name: 'x', field_type: 1 }),
      await ada.patch(path, { name: 'x' }),
      await ada.patch('realm/profile_fields', { order: [] }),
      await ada.delete(path),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        { result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL' },
      ]);
    }
  });

  it.each([
    [{ name: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'field_type' }],
    [{ field_type: 1 }, { msg: 'name cannot be blank' }],
    [{ name: 'x'.repeat(41), field_type: 1 }, { msg: 'name is too long (limit: 40 characters)' }],
    [{ name: 'x', hint: 'x'.repeat(81), field_type: 1 }, { msg: 'hint is too long (limit: 80 characters)' }],
    [{ name: 'x', field_type: 0 }, { msg: 'Invalid field type.' }],
    [{ name: 'x', field_type: 3 }, { msg: 'Invalid field_data: Field must have at least one choice.' }],
    [{ name: 'x', field_type: 3, field_data: 'soup' }, { code: 'BAD_REQUEST' }],
    [
      { name: 'x', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'x' } },
      { code: 'BAD_REQUEST' },
    ],
    [{ name: 'Mentor', field_type: 1 }, { msg: 'A field with that label already exists.' }],
    [{ name: 'x', field_type: 6, display_in_profile_summary: true }, { code: 'BAD_REQUEST' }],
    [{ name: 'x', field_type: 2, use_for_user_matching: true }, { code: 'BAD_REQUEST' }],
  ])('are refused as %j', async (field, expected) => {
    const { status, body } = await owner.post('realm/profile_fields', field);
    expect([status, body]).toEqual([400, expect.objectContaining({ result: 'error', ...expected })]);
  });

  it('stand in the summary at most two at a time', async () => {
    await create('Second', { field_type: 1, display_in_profile_summary: true });
    const field = { name: 'Third', field_type: 1, display_in_profile_summary: true };
    const { status, body } = await owner.post('realm/profile_fields', field);
    expect([status, body]).toEqual([
      400,
      badRequest('Only 2 custom profile fields can be displayed in the profile summary.'),
    ]);
  });

  it('are not found by ids that none has, and ordered only all together', async () => {
    for (const answer of [
      await owner.patch('realm/profile_fields/99999', { name: 'x' }),
      await owner.delete('realm/profile_fields/99999'),
    ]) {
      expect([answer.status, answer.body]).toEqual([400, badRequest('Field id 99999 not found.')]);
    }
    const { status, body } = await owner.patch('realm/profile_fields', { order: [1] });
    expect([status, body]).toEqual([400, badRequest('Invalid order mapping.')]);
  });
});

describe('profiles', () => {
  it('say what their people fill in, rendered where it is Markdown', async () => {
    const [text, mentor] = [await create('Motto'), await create('Friends', { field_type: 6 })];
    const data = [
      { id: text, value: 'A *long* story' },
      { id: mentor, value: [adaId] },
    ];
    await ada.must('patch', 'users/me/profile_data', { data });
    const said = {
      [text]: { value: 'A *long* story', rendered_value: '<p>A <em>long</em> story</p>' },
      [mentor]: { value: `[${adaId}]` },
    };
    expect(await profileOf(ada)).toEqual(said);
    const asked = { include_custom_profile_fields: true };
    expect((await bo.must('get', `users/${adaId}`, asked))['user']['profile_data']).toEqual(said);
    const { members } = await bo.must('get', 'users', { ...asked, user_ids: [adaId] });
    expect((members as Reply[])[0]?.['profile_data']).toEqual(said);
    expect((await bo.must('get', `users/${adaId}`))['user']).not.toHaveProperty('profile_data');
    await ada.must('delete', 'users/me/profile_data', { data: [mentor] });
    expect(Object.keys((await profileOf(ada)) as object)).toEqual([String(text)]);
    await ada.must('patch', 'users/me/profile_data', { data: [{ id: text, value: '' }] });
    expect(await profileOf(ada)).toEqual({});
  });

  it('are filled in by administrators too, also where people may not', async () => {
    const id = await create('Staff number', { field_type: 1, editable_by_user: false });
    const refused = await ada.patch('users/me/profile_data', { data: [{ id, value: '1' }] });
    expect([refused.status, refused.body]).toEqual([
      400,
      badRequest('You are not allowed to change this field. Contact an administrator to update it.'),
    ]);
    await owner.must('patch', `users/${adaId}`, {
      profile_data: [{ id, value: '17' }],
      full_name: 'Ada Quill',
    });
    expect(await profileOf(ada)).toMatchObject({ [id]: { value: '17' } });
    expect((await ada.must('get', 'users/me'))['full_name']).toBe('Ada Quill');
    await owner.must('patch', `users/${adaId}`, { profile_data: [{ id, value: null }] });
    expect(await profileOf(ada)).toEqual({});
  });

  it('change all together or not at all', async () => {
    const id = await create('Colour');
    for (const bad of [
      { id: 99_999, value: 'x' },
      { id, value: 'x'.repeat(51) },
      { id, value: [1] },
    ]) {
      const data = [{ id, value: 'blue' }, bad];
      expect((await ada.patch('users/me/profile_data', { data })).status).toBe(400);
      const byOwner = await owner.patch(`users/${adaId}`, { profile_data: data, full_name: 'Other' });
      expect(byOwner.status).toBe(400);
    }
    expect(await profileOf(ada)).toEqual({});
    expect((await ada.must('get', 'users/me'))['full_name']).toBe('Ada Quill');
    const unknown = await ada.delete('users/me/profile_data', { data: [99_999] });
    expect([unknown.status, unknown.body]).toEqual([400, badRequest('Field id 99999 not found.')]);
  });

  it('of others are for administrators to change, and bots have none', async () => {
    const id = await create('Hat');
    const profile_data = [{ id, value: 'x' }];
    expect((await bo.patch(`users/${adaId}`, { profile_data })).status).toBe(400);
    const made = await ada.must('post', 'bots', { full_name: 'Relay', short_name: 'relay' });
    const { members } = await owner.must('get', 'users', { user_ids: [made['user_id']] });
    const email = (members as Reply[])[0]?.['email'] as string;
    const bot = new ApiClient(server.site, { email, key: made['api_key'] as string });
    const refused = await bot.patch('users/me/profile_data', { data: profile_data });
    expect([refused.status, refused.body]).toEqual([
      400,
      badRequest('This endpoint does not accept bot requests.'),
    ]);
    expect(await profileOf(bot)).toBeUndefined();
  });

  it('lose what a field said when it is deleted', async () => {
    const id = await create('Short-lived');
    await ada.must('patch', 'users/me/profile_data', { data: [{ id, value: 'x' }] });
    await owner.must('delete', `realm/profile_fields/${id}`);
    expect(await profileOf(ada)).toEqual({});
  });
});
