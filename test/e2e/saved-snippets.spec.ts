import { describe, expect, it } from '@jest/globals';
import { ada, bo, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

async function snippetsOf(client: ApiClient): Promise<Reply[]> {
  return (await client.must('get', 'saved_snippets'))['saved_snippets'] as Reply[];
}

async function save(title: string, content = 'Best,\nAda'): Promise<number> {
  return (await ada.must('post', 'saved_snippets', { title, content }))['saved_snippet_id'] as number;
}

describe('saved snippets', () => {
  it('are kept for their owner alone, oldest first', async () => {
    const before = Math.floor(Date.now() / 1000);
    const [first, second] = [await save(' Sign-off '), await save('Greeting', 'Dear all')];
    const kept = await snippetsOf(ada);
    expect(kept).toEqual([
      { id: first, title: 'Sign-off', content: 'Best,\nAda', date_created: expect.any(Number) },
      { id: second, title: 'Greeting', content: 'Dear all', date_created: expect.any(Number) },
    ]);
    expect(kept[0]?.['date_created']).toBeGreaterThanOrEqual(before);
    expect(await snippetsOf(bo)).toEqual([]);
  });

  it('change in title or content, and go away', async () => {
    const id = await save('Draft');
    await ada.must('patch', `saved_snippets/${id}`, { title: 'Letter' });
    await ada.must('patch', `saved_snippets/${id}`, { content: 'Yours' });
    await ada.must('patch', `saved_snippets/${id}`);
    const one = (await snippetsOf(ada)).find((snippet) => snippet['id'] === id);
    expect(one).toMatchObject({ title: 'Letter', content: 'Yours' });
    await ada.must('delete', `saved_snippets/${id}`);
    expect((await snippetsOf(ada)).some((snippet) => snippet['id'] === id)).toBe(false);
  });

  it.each([
    [{ title: '  ', content: 'x' }, 'title cannot be blank'],
    [{ title: 'x', content: '' }, 'content cannot be blank'],
    [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)'],
    [{ title: 'x', content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
  ])('are refused with a title or content that will not do', async (text, msg) => {
    const id = await save('Kept');
    for (const answer of [
      await ada.post('saved_snippets', text),
      await ada.patch(`saved_snippets/${id}`, text),
    ]) {
      expect([answer.status, answer.body]).toEqual([400, { result: 'error', msg, code: 'BAD_REQUEST' }]);
    }
    await ada.must('delete', `saved_snippets/${id}`);
  });

  it.each([{ title: 'x' }, { content: 'x' }])('need both title and content: not only %j', async (text) => {
    expect((await ada.post('saved_snippets', text)).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('are not found where they do not exist or are another’s', async () => {
    const id = await save('Mine');
    const answers = await Promise.all([
      ada.delete('saved_snippets/99999'),
      ada.patch('saved_snippets/99999', { title: 'x' }),
      bo.delete(`saved_snippets/${id}`),
      bo.patch(`saved_snippets/${id}`, { title: 'x' }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        404,
        { result: 'error', msg: 'Saved snippet does not exist.', code: 'BAD_REQUEST' },
      ]);
    }
  });
});

describe('navigation views', () => {
  const views = async (client: ApiClient): Promise<Reply[]> =>
    (await client.must('get', 'navigation_views'))['navigation_views'] as Reply[];

  it('are built in, without a name, or one’s own, with one', async () => {
    const { client } = await server.createUser(owner, 'Cas');
    await client.must('post', 'navigation_views', { fragment: 'inbox', is_pinned: false });
    const own = { fragment: 'narrow/has/link', is_pinned: true, name: 'Links' };
    await client.must('post', 'navigation_views', own);
    expect(await views(client)).toEqual([{ fragment: 'inbox', is_pinned: false, name: null }, own]);
    expect(await views(ada)).toEqual([]);
  });

  it.each([
    ['as they are', (fragment: string) => fragment],
    ['encoded', (fragment: string) => encodeURIComponent(fragment)],
  ])('are changed and removed by fragments with slashes, %s', async (how, path) => {
    const fragment = `narrow/topic/caf\u00e9 & co/${how}`;
    await ada.must('post', 'navigation_views', { fragment, is_pinned: true, name: how });
    const place = `navigation_views/${path(fragment)}`;
    await ada.must('patch', place, { is_pinned: false });
    await ada.must('patch', place, { name: `${how}, renamed` });
    expect(await views(ada)).toContainEqual({ fragment, is_pinned: false, name: `${how}, renamed` });
    await ada.must('delete', place);
    expect((await views(ada)).some((view) => view['fragment'] === fragment)).toBe(false);
  });

  it.each([
    [{ fragment: 'drafts', is_pinned: true, name: 'Mine' }],
    [{ fragment: 'narrow/x', is_pinned: true }],
    [{ fragment: 'narrow/x', is_pinned: true, name: ' ' }],
    [{ fragment: '', is_pinned: true, name: 'Mine' }],
    [{ fragment: 'narrow/x', is_pinned: 'maybe', name: 'Mine' }],
  ])('are refused as %j', async (view) => {
    const { status, body } = await bo.post('navigation_views', view);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await views(bo)).toEqual([]);
  });

  it('share neither fragment nor name, and a built-in one takes no name', async () => {
    const { client } = await server.createUser(owner, 'Dee');
    await client.must('post', 'navigation_views', { fragment: 'narrow/a', is_pinned: true, name: 'A' });
    await client.must('post', 'navigation_views', { fragment: 'narrow/b', is_pinned: true, name: 'B' });
    await client.must('post', 'navigation_views', { fragment: 'recent', is_pinned: true });
    for (const refused of [
      client.post('navigation_views', { fragment: 'narrow/a', is_pinned: true, name: 'C' }),
      client.post('navigation_views', { fragment: 'narrow/c', is_pinned: true, name: 'A' }),
      client.patch('navigation_views/narrow/b', { name: 'A' }),
      client.patch('navigation_views/recent', { name: 'C' }),
    ]) {
      const { status, body } = await refused;
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await views(client)).toHaveLength(3);
  });

  it('are not found until something was said of them, nor where they are another’s', async () => {
    await ada.must('post', 'navigation_views', { fragment: 'narrow/mine', is_pinned: true, name: 'Mine' });
    for (const answer of [
      await bo.patch('navigation_views/feed', { is_pinned: true }),
      await bo.delete('navigation_views/feed'),
      await bo.patch('navigation_views/narrow/mine', { is_pinned: true }),
      await bo.delete('navigation_views/narrow/mine'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('need a fragment and where it stands', async () => {
    expect((await ada.post('navigation_views', { is_pinned: true })).body.code).toBe(
      'REQUEST_VARIABLE_MISSING',
    );
    expect((await ada.post('navigation_views', { fragment: 'feed' })).body.code).toBe(
      'REQUEST_VARIABLE_MISSING',
    );
  });

  it('stand on the documentation page under their fragment', async () => {
    const document = (await (await fetch(`${server.site}/api/docs-json`)).json()) as {
      paths: Record<string, Record<string, { parameters: unknown }>>;
    };
    const path = document.paths['/api/v1/navigation_views/{fragment}'];
    expect(Object.keys(path ?? {}).sort()).toEqual(['delete', 'patch']);
    expect(path?.['patch']?.parameters).toMatchObject([{ name: 'fragment', in: 'path', required: true }]);
  });
});
