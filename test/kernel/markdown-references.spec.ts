import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import {
  findReferences,
  resolveReferences,
  type MentionedInText,
  type ReferenceLookup,
} from '../../src/markdown/resolve-references.js';

const people = [
  { id: 1, fullName: 'Iago', isActive: true },
  { id: 2, fullName: 'Sam Reed', isActive: true },
  { id: 3, fullName: 'Sam Reed', isActive: true },
  { id: 4, fullName: 'Old Timer', isActive: false },
];
const groups = [
  { id: 20, name: 'support', isSystem: false, isDeactivated: false },
  { id: 21, name: 'frozen', isSystem: false, isDeactivated: true },
  { id: 22, name: 'role:members', isSystem: true, isDeactivated: false },
];
const channels = [{ id: 30, name: 'general' }];

const lookup: ReferenceLookup = {
  userById: (id) => people.find((user) => user.id === id) ?? null,
  usersByName: (name) => people.filter(({ fullName }) => fullName.toLowerCase() === name.toLowerCase()),
  groupByName: (name) => groups.find((group) => group.name.toLowerCase() === name.toLowerCase()) ?? null,
  channelByName: (name) => channels.find((channel) => channel.name === name.toLowerCase()) ?? null,
};

const resolve = (content: string) => resolveReferences(findReferences(content), lookup);
const mentioned = (content: string): MentionedInText => resolve(content).mentioned;
const nobody: MentionedInText = { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false };

describe('what the organization wants of its texts', () => {
  const code = '```\nx = 1\n```';
  const picture = 'https://example.com/loom.png';

  it('is kept with a text, because it may want something else later', () => {
    const wanting = { ...lookup, codeLanguage: 'python', showsPreviews: false };
    const { references } = resolveReferences(findReferences(`${code}\n${picture}`), wanting);
    expect(references).toEqual({ codeLanguage: 'python', withoutPreviews: true });
    expect(resolve(`${code}\n${picture}`).references).toEqual({});
  });

  it('is the language of code that names none', () => {
    expect(renderMarkdown(code, { codeLanguage: 'python' }).html).toContain('data-code-language="Python"');
    expect(renderMarkdown(code.replace('```', '```js'), { codeLanguage: 'python' }).html).toContain(
      'data-code-language="JavaScript"',
    );
    expect(renderMarkdown(code, {}).html).not.toContain('data-code-language');
    const { references } = resolveReferences(findReferences('no code'), {
      ...lookup,
      codeLanguage: 'python',
    });
    expect(references).toEqual({});
  });

  it('is to be shown pictures, or not', () => {
    expect(renderMarkdown(picture, {})).toMatchObject({ hasImage: true, hasLink: true });
    const without = renderMarkdown(picture, { withoutPreviews: true });
    expect(without).toMatchObject({ hasImage: false, hasLink: true });
    expect(without.html).not.toContain('<img');
  });
});

describe('the names in a text', () => {
  it('leave nothing to store where there are none', () => {
    for (const content of [
      'Just words.',
      '1:2:3 and a@b.example',
      '`@**Iago**`',
      '@**Nobody**',
      '#**nowhere**',
    ]) {
      expect(resolve(content).references).toEqual({});
    }
  });

  it('are stored once each, with the names of that time', () => {
    const { references } = resolve(
      '@**iago** @**Iago|1** @_**Old Timer** @*support* @*frozen* #**general** #**general>x**',
    );
    expect(references).toEqual({
      users: [
        { id: 1, name: 'Iago' },
        { id: 4, name: 'Old Timer', deactivated: true },
      ],
      groups: [
        { id: 20, name: 'support' },
        { id: 21, name: 'frozen', deactivated: true },
      ],
      channels: [{ id: 30, name: 'general' }],
    });
  });

  it('always refer to the same person, also after a change of names', () => {
    const content = 'ask @**Iago**';
    const { references } = resolve(content);
    expect(renderMarkdown(content, JSON.parse(JSON.stringify(references)) as typeof references).html).toBe(
      '<p>ask <span class="user-mention" data-user-id="1">@Iago</span></p>',
    );
  });

  it('tell people of one name apart by their ids, the bare name meaning the first of them', () => {
    const content = '@**Sam Reed|3** @**Sam Reed** @**Sam Reed|2**';
    const { references } = resolve(content);
    const ids = renderMarkdown(content, references).html.match(/data-user-id="\d+"/g);
    expect(ids).toEqual(['data-user-id="3"', 'data-user-id="2"', 'data-user-id="2"']);
    expect(mentioned(content).userIds).toEqual([2, 3]);
  });

  it('heed case for groups and channels, not for people', () => {
    expect(resolve('@**IAGO** @*Support* #**General**').references).toEqual({
      users: [{ id: 1, name: 'Iago' }],
    });
  });

  it('reach system groups by the names that clients show', () => {
    const content = '@_*role:members*';
    const { references } = resolve(content);
    expect(mentioned(content)).toEqual(nobody);
    expect(renderMarkdown(content, references).html).toBe(
      '<p><span class="user-group-mention silent" data-user-group-id="22">Everyone except guests</span></p>',
    );
    expect(mentioned('@*role:members*').groupIds).toEqual([22]);
  });

  it('keep the translation of emoticons with the text, since it is a setting of the sender', () => {
    const { references } = resolveReferences(findReferences('hi :)'), {
      ...lookup,
      translateEmoticons: true,
    });
    expect(references).toEqual({ translateEmoticons: true });
    expect(renderMarkdown('hi :)', references).html).toContain('emoji-1f642');
  });
});

describe('a text mentions', () => {
  it('people, groups and everyone', () => {
    expect(mentioned('@**Iago** @*support* @**all** @**topic**')).toEqual({
      userIds: [1],
      groupIds: [20],
      channelWildcard: true,
      topicWildcard: true,
    });
  });

  it.each([
    ['silently', '@_**Iago** @_*support* @_**all** @_**topic**'],
    ['in a quotation', '> @**Iago** @*support* @**all** @**topic**'],
    ['in a fenced quotation', '```quote\n@**Iago** @*support*\n\n@**all** @**topic**\n```'],
    ['in a spoiler that is quoted', '````quote\n```spoiler x\n@**Iago** @**all**\n```\n````'],
    ['in code', '`@**Iago**` `@*support*`\n```\n@**all** @**topic**\n```'],
    ['who is deactivated', '@**Old Timer** @*frozen*'],
    ['without the marks', '@Iago @all @support'],
    ['behind a letter', 'x@**Iago** x@**all**'],
  ])('nobody %s', (_, content) => {
    expect(mentioned(content)).toEqual(nobody);
  });

  it('a person named both silently and aloud', () => {
    expect(mentioned('@_**Iago** and @**Iago**').userIds).toEqual([1]);
    expect(mentioned('@**Iago**\n\n> @**Iago**').userIds).toEqual([1]);
  });

  it('a person in a spoiler', () => {
    expect(mentioned('```spoiler @**Iago**\n@**Sam Reed|3**\n```').userIds).toEqual([1, 3]);
  });
});
