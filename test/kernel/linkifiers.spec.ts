import { TestOrganization } from '../support/organization.js';
import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideAddLinkifier,
  decideChangeLinkifier,
  decideRemoveLinkifier,
  decideReorderLinkifiers,
} from '../../src/contexts/linkifiers/linkifiers.decide.js';
import type { LinkifierEvent } from '../../src/events/linkifiers.js';
import type { LinkifierDefinition } from '../../src/contexts/linkifiers/linkifier-definition.js';
import { linkifiersFold, LINKIFIERS_STREAM, type Linkifiers } from '../../src/access/records/linkifiers.js';
import { linkifierObjects } from '../../src/contexts/linkifiers/queries/linkifiers.js';
import { linkify } from '../../src/markdown/linkify.js';
import { refusal, TestLog } from '../support/given.js';

const issues: LinkifierDefinition = {
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://example.com/issues/{id}',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
};
const commits = { ...issues, pattern: '(?P<id>[0-9a-f]{40})' };

const world = new TestOrganization();
const administrator = { user: world.user(world.register({ role: 200 })), snapshot: world.snapshot() };

function after(...events: readonly LinkifierEvent[]): Linkifiers {
  const log = new TestLog();
  log.append(LINKIFIERS_STREAM, events);
  return log.fold(linkifiersFold, LINKIFIERS_STREAM);
}

/** The error for adding such a linkifier; null when it is added. */
function fault(definition: Partial<LinkifierDefinition>): string | null {
  try {
    decideAddLinkifier(after(), { ...issues, ...definition }, administrator);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a linkifier', () => {
  const [added] = decideAddLinkifier(after(), issues, administrator);

  it('is added last, under an id that was never used', () => {
    expect(added).toEqual({ type: 'LinkifierAdded', data: { linkifierId: 1, ...issues } });
    const [second] = decideAddLinkifier(after(added!), commits, administrator);
    expect(second!.data).toMatchObject({ linkifierId: 2 });
    const removed = decideRemoveLinkifier(after(added!, second!), 2, administrator);
    const [third] = decideAddLinkifier(after(added!, second!, ...removed), commits, administrator);
    expect(third!.data).toMatchObject({ linkifierId: 3 });
  });

  it.each<readonly [string, Partial<LinkifierDefinition>, string]>([
    ['a broken pattern', { pattern: '(?P<id>[0-9]+' }, 'Bad regular expression: '],
    ['a pattern that RE2 cannot run', { pattern: '(?P<id>a)\\1' }, 'Bad regular expression: '],
    ['no pattern', { pattern: '' }, 'A linkifier needs a pattern.'],
    ['no template', { urlTemplate: '' }, 'Invalid URL template.'],
    ['a broken template', { urlTemplate: 'https://example.com/{id' }, 'Invalid URL template.'],
    [
      'a variable that is no group',
      { urlTemplate: 'https://example.com/{no}' },
      "Group 'no' in URL template is not present in linkifier pattern.",
    ],
    [
      'a group that is no variable',
      { urlTemplate: 'https://example.com/' },
      "Group 'id' in linkifier pattern is not present in URL template.",
    ],
    ['a broken other template', { alternativeUrlTemplates: ['{'] }, 'Invalid URL template.'],
    [
      'another template with other variables',
      { alternativeUrlTemplates: ['https://example.com/{x}'] },
      "Group 'x' in URL template is not present in linkifier pattern.",
    ],
    [
      'an example that does not match',
      { exampleInput: '#x' },
      'The example input does not match the pattern.',
    ],
    [
      'a reverse template without example',
      { reverseTemplate: '#{id}' },
      'A reverse template needs an example input.',
    ],
    [
      'a reverse template that gives something else',
      { exampleInput: '#12', reverseTemplate: '{id}' },
      'The reverse template does not give the example input back.',
    ],
    [
      'a broken reverse template',
      { exampleInput: '#12', reverseTemplate: '#{id' },
      'Invalid reverse template.',
    ],
    [
      'a reverse template with another variable',
      { exampleInput: '#12', reverseTemplate: '#{x}' },
      "Group 'x' in reverse template is not present in linkifier pattern.",
    ],
    ['too long a text', { exampleInput: '#'.repeat(1001) }, 'A linkifier may have 1000 characters.'],
  ])('is refused with %s', (_what, definition, message) => {
    expect(fault(definition)).toMatch(new RegExp(`^${message.replace(/[.()]/g, '\\$&')}`));
  });

  it('may have an example with text around the match, which the reverse template must reproduce', () => {
    expect(fault({ exampleInput: 'see #12.' })).toBeNull();
    expect(fault({ exampleInput: 'see #12.', reverseTemplate: 'see #{id}.' })).toBeNull();
    expect(fault({ exampleInput: 'see #12.', reverseTemplate: '#{id}' })).toMatch(
      /does not give the example/,
    );
  });

  it.each([
    'javascript:alert({id})',
    'JavaScript:alert({id})',
    'data:text/html,{id}',
    'vbscript:{id}',
    '{id}:alert(1)',
    '{+id}',
    'java{id}',
    '\u0001javascript:{id}',
  ])('leads nowhere but to addresses that a link may hold: not to %j', (urlTemplate) => {
    expect(fault({ urlTemplate })).toMatch(/Invalid URL template/);
    expect(fault({ alternativeUrlTemplates: [urlTemplate] })).toMatch(/Invalid URL template/);
  });

  it.each([
    'https://{id}.example',
    'http://example.com/{id}',
    'mailto:{id}@example.com',
    '/issues/{id}',
    '#narrow/{id}',
  ])('may lead to %s', (urlTemplate) => {
    expect(fault({ urlTemplate })).toBeNull();
  });

  it('of a scheme that is refused now is kept from clients, and in no one’s way', () => {
    const evil = { linkifierId: 1, ...issues, urlTemplate: 'javascript:alert({id})' };
    const fine = {
      linkifierId: 2,
      ...commits,
      alternativeUrlTemplates: ['javascript:{id}', 'https://e.com/{id}'],
    };
    const third = { ...commits, linkifierId: 3 };
    const state = after(
      { type: 'LinkifierAdded', data: evil },
      { type: 'LinkifierAdded', data: fine },
      { type: 'LinkifierAdded', data: third },
    );
    const shown = linkifierObjects(state);
    expect(shown.map(({ id }) => id)).toEqual([2, 3]);
    expect(JSON.stringify(shown)).not.toContain('javascript');
    expect(decideReorderLinkifiers(state, [3, 2], administrator)).toEqual([
      { type: 'LinkifiersReordered', data: { linkifierIds: [3, 2, 1] } },
    ]);
    expect(linkify('see #12', [evil])).toEqual([]);
  });

  it('says what is wrong in a map of errors, too', () => {
    try {
      decideAddLinkifier(after(), { ...issues, urlTemplate: '' }, administrator);
      throw new Error('It was added');
    } catch (error) {
      expect(error).toMatchObject({ fields: { errors: { __all__: ['Invalid URL template.'] } } });
    }
  });

  it('may have an example, a way back with braces, and other templates', () => {
    const definition = {
      pattern: '\\{(?P<id>[0-9]+)\\}',
      exampleInput: '{12}',
      reverseTemplate: '{{{id}}}',
      alternativeUrlTemplates: ['https://example.com/{id}', 'https://example.org{?id}'],
    };
    expect(fault(definition)).toBeNull();
  });

  it('has a pattern that no other has', () => {
    expect(refusal(() => decideAddLinkifier(after(added!), issues, administrator))).toBe('invalidLinkifier');
    const [second] = decideAddLinkifier(after(added!), commits, administrator);
    const state = after(added!, second!);
    expect(
      refusal(() => decideChangeLinkifier(state, { linkifierId: 2, change: issues }, administrator)),
    ).toBe('invalidLinkifier');
    expect(
      refusal(() => decideChangeLinkifier(state, { linkifierId: 1, change: issues }, administrator)),
    ).toBeNull();
  });

  it('is one of at most two hundred', () => {
    const full = Array.from({ length: budgets.linkifiers.max }, (_, index): LinkifierEvent => {
      const data = { ...issues, linkifierId: index + 1, pattern: `${index}-(?P<id>[0-9]+)` };
      return { type: 'LinkifierAdded', data };
    });
    expect(refusal(() => decideAddLinkifier(after(...full), issues, administrator))).toBe(
      'tooManyLinkifiers',
    );
  });

  it('keeps what a change does not name', () => {
    const [whole] = decideAddLinkifier(
      after(),
      { ...issues, exampleInput: '#12', reverseTemplate: '#{id}' },
      administrator,
    );
    const change = {
      pattern: issues.pattern,
      urlTemplate: 'https://example.org/{id}',
      exampleInput: undefined,
      reverseTemplate: null,
      alternativeUrlTemplates: undefined,
    };
    expect(decideChangeLinkifier(after(whole!), { linkifierId: 1, change: change }, administrator)).toEqual([
      {
        type: 'LinkifierChanged',
        data: {
          ...issues,
          linkifierId: 1,
          urlTemplate: 'https://example.org/{id}',
          exampleInput: '#12',
          reverseTemplate: null,
        },
      },
    ]);
  });

  it('must exist to be changed or removed', () => {
    expect(
      refusal(() => decideChangeLinkifier(after(), { linkifierId: 1, change: issues }, administrator)),
    ).toBe('noSuchLinkifier');
    expect(refusal(() => decideRemoveLinkifier(after(), 1, administrator))).toBe('noSuchLinkifier');
  });
});

describe('the order of linkifiers', () => {
  const [first] = decideAddLinkifier(after(), issues, administrator);
  const [second] = decideAddLinkifier(after(first!), commits, administrator);
  const state = after(first!, second!);

  it('is changed by naming each of them once', () => {
    const events = decideReorderLinkifiers(state, [2, 1], administrator);
    const { linkifiers } = after(first!, second!, ...events);
    expect(linkifiers.map(({ linkifierId }) => linkifierId)).toEqual([2, 1]);
  });

  it('stays as it is when it is named', () => {
    expect(decideReorderLinkifiers(state, [1, 2], administrator)).toEqual([]);
  });

  it.each([[[1]], [[1, 1]], [[1, 2, 2]], [[1, 3]], [[]]])('is not %j', (ids) => {
    expect(refusal(() => decideReorderLinkifiers(state, ids, administrator))).toBe('invalidLinkifierOrder');
  });
});
