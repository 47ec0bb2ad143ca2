import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideAddCodePlayground,
  decideRemoveCodePlayground,
} from '../../src/contexts/organization/code-playgrounds.decide.js';
import { type CodePlaygroundDefinition } from '../../src/access/records/code-playgrounds.js';
import type { OrganizationEvent } from '../../src/events/organization.js';
import {
  organizationFold,
  ORGANIZATION_STREAM,
  type Organization,
} from '../../src/access/records/organization.js';
import type { User } from '../../src/access/records/user.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const rust: CodePlaygroundDefinition = {
  name: 'Rust play',
  language: 'Rust',
  urlTemplate: 'https://rust.example.com/?c={code}',
};

/** An organization with an owner and a person of every lower role, and decisions in it. */
class Scene {
  readonly world = new TestOrganization();
  readonly owner = this.world.user(this.world.register({ role: 100 }));

  get organization(): Organization {
    return this.world.log.fold<Organization | null, OrganizationEvent>(
      organizationFold,
      ORGANIZATION_STREAM,
    )!;
  }

  add(definition: Partial<CodePlaygroundDefinition> = {}, actor = this.owner): readonly OrganizationEvent[] {
    const nextRevision = this.world.log.events.filter(({ stream }) => stream === ORGANIZATION_STREAM).length;
    const asked = { ...rust, ...definition };
    return this.happened(decideAddCodePlayground(this.organization, asked, { user: actor, nextRevision }));
  }

  remove(playgroundId: number, actor: User = this.owner): readonly OrganizationEvent[] {
    return this.happened(decideRemoveCodePlayground(this.organization, playgroundId, { user: actor }));
  }

  private happened(events: readonly OrganizationEvent[]): readonly OrganizationEvent[] {
    this.world.log.append(ORGANIZATION_STREAM, events);
    return events;
  }
}

/** The error for adding such a code playground; null when it is added. */
function fault(definition: Partial<CodePlaygroundDefinition>): string | null {
  try {
    new Scene().add(definition);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a code playground', () => {
  it('is kept with its texts trimmed, under the id of its event, and goes by that id', () => {
    const scene = new Scene();
    expect(scene.add({ name: ' Rust play ', language: 'Rust ' })).toEqual([
      { type: 'CodePlaygroundAdded', data: { playgroundId: 2, ...rust } },
    ]);
    scene.add({ name: 'Other play' });
    expect(scene.remove(2)).toEqual([{ type: 'CodePlaygroundRemoved', data: { playgroundId: 2 } }]);
    expect(scene.organization.codePlaygrounds).toEqual([{ playgroundId: 3, ...rust, name: 'Other play' }]);
    expect(refusal(() => scene.remove(2))).toBe('noSuchCodePlayground');
  });

  it.each<readonly [string, Partial<CodePlaygroundDefinition>, string]>([
    ['a blank name', { name: ' ' }, 'name cannot be blank'],
    ['a long name', { name: 'a'.repeat(101) }, 'name is too long (limit: 100 characters)'],
    ['a blank language', { language: ' ' }, 'pygments_language cannot be blank'],
    ['a long language', { language: 'a'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
    ['a language of other signs', { language: 'Rust<' }, 'Invalid characters in pygments language'],
    ['no template', { urlTemplate: '' }, 'Invalid URL template.'],
    ['a broken template', { urlTemplate: 'https://example.com/{code' }, 'Invalid URL template.'],
    ['a template of no page', { urlTemplate: 'javascript:{code}' }, 'Invalid URL template.'],
    ['a template of whatever page the code names', { urlTemplate: '{+code}' }, 'Invalid URL template.'],
    [
      'a long template',
      { urlTemplate: `https://example.com/{code}${'a'.repeat(1000)}` },
      'url_template is too long (limit: 1000 characters)',
    ],
    [
      'a template without the code',
      { urlTemplate: 'https://example.com/{text}' },
      'Missing the required variable "code" in the URL template',
    ],
    [
      'a template with something else beside the code',
      { urlTemplate: 'https://example.com/{code}{?lang}' },
      '"code" should be the only variable present in the URL template',
    ],
  ])('is refused with %s', (_what, definition, message) => {
    expect(fault(definition)).toBe(message);
  });

  it.each(['C++', 'F#', 'Objective-C', 'Ada 95/2012', 'x86.64_asm'])(
    'may be of the language %s',
    (language) => {
      expect(fault({ language })).toBeNull();
    },
  );

  it('shares its name with those of other languages only', () => {
    const scene = new Scene();
    scene.add();
    expect(refusal(() => scene.add({ urlTemplate: 'https://example.com/{code}' }))).toBe(
      'codePlaygroundExists',
    );
    expect(scene.add({ language: 'C' })).toHaveLength(1);
  });

  it('is one of at most two hundred', () => {
    const scene = new Scene();
    for (let number = 0; number < budgets.codePlaygrounds.max; number += 1)
      scene.add({ name: `Play ${number}` });
    expect(refusal(() => scene.add())).toBe('tooManyCodePlaygrounds');
  });

  it('is for administrators to add and to remove', () => {
    const scene = new Scene();
    const administrator = scene.world.user(scene.world.register({ role: 200 }));
    scene.add({}, administrator);
    for (const role of [300, 400, 600] as const) {
      const actor = scene.world.user(scene.world.register({ role }));
      expect(refusal(() => scene.add({ name: 'Other play' }, actor))).toBe('administratorRequired');
      expect(refusal(() => scene.remove(2, actor))).toBe('administratorRequired');
    }
    expect(scene.remove(2, administrator)).toHaveLength(1);
  });
});
