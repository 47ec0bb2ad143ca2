import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideChangeDraft,
  decideDeleteDraft,
  decideSaveDrafts,
} from '../../src/contexts/personal/drafts.decide.js';
import {
  draftContent,
  type DraftContent,
  type DraftRequest,
} from '../../src/contexts/personal/draft-content.js';
import { draftsFold, type Drafts } from '../../src/contexts/personal/drafts.state.js';
import type { DraftEvent } from '../../src/events/personal.js';
import { createChannel } from '../support/channels.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const ada = organization.register();
const bo = organization.register();
const channel = createChannel(organization, [ada]);
const privacy = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };
const hidden = createChannel(organization, [bo], { privacy });

function contentOf(request: Partial<DraftRequest>): DraftContent {
  const all = { type: '', to: [], topic: '', content: 'half a thought', timestamp: 5, ...request } as const;
  return draftContent(all, { snapshot: organization.snapshot(), writer: organization.user(ada) });
}

describe('the stored form of a draft', () => {
  it.each([
    ['stream', 'stream'],
    ['channel', 'stream'],
  ] as const)('is, for the type %s, a channel and a topic', (type, kept) => {
    expect(contentOf({ type, to: [channel], topic: ' engines ' })).toEqual({
      userId: ada,
      type: kept,
      to: [channel],
      topic: 'engines',
      content: 'half a thought',
      timestamp: 5,
    });
  });

  it.each(['private', 'direct'] as const)('is, for the type %s, people without a topic', (type) => {
    const kept = contentOf({ type, to: [bo, ada, bo], topic: 'engines' });
    expect(kept).toMatchObject({ type: 'private', to: [bo, ada], topic: '' });
  });

  it('has the given time in whole seconds, or the present time if there is none', () => {
    expect(contentOf({ timestamp: undefined }).timestamp).toBe(atTheTime / 1000);
    expect(contentOf({ timestamp: 5.9 }).timestamp).toBe(5);
  });

  it.each<readonly [string, Partial<DraftRequest>, string]>([
    ['no text', { content: ' \n' }, 'messageEmpty'],
    ['no channel', { type: 'stream', to: [] }, 'draftChannelRequired'],
    ['two channels', { type: 'stream', to: [channel, channel] }, 'draftChannelRequired'],
    ['an unknown channel', { type: 'stream', to: [9_999] }, 'invalidChannel'],
    ['a channel out of reach', { type: 'stream', to: [hidden] }, 'invalidChannel'],
    ['an unknown person', { type: 'private', to: [9_999] }, 'invalidUserId'],
    ['a time before time', { timestamp: -1 }, 'negativeTimestamp'],
  ])('is refused with %s', (_what, request, expected) => {
    expect(refusal(() => contentOf(request))).toBe(expected);
  });
});

describe('drafts', () => {
  const stream = `user-${ada}`;
  const content = contentOf({});
  const fold = (log: TestLog): Drafts => log.fold<Drafts, DraftEvent>(draftsFold, stream);

  it('are named by their place in their writer’s stream', () => {
    const log = new TestLog();
    log.append<DraftEvent>(stream, decideSaveDrafts(fold(log), [content, content]));
    const again = decideSaveDrafts(fold(log), [content]);
    expect(again.map(({ data }) => data.draftId)).toEqual([3]);
    expect([1, 2, 3].map((id) => fold(log).ids.has(id))).toEqual([true, true, false]);
  });

  it('can be changed and thrown away while they exist', () => {
    const log = new TestLog();
    log.append<DraftEvent>(stream, decideSaveDrafts(fold(log), [content]));
    expect(decideChangeDraft(fold(log), 1, content)).toEqual([
      { type: 'DraftChanged', data: { ...content, draftId: 1 } },
    ]);
    log.append<DraftEvent>(stream, decideDeleteDraft(fold(log), { userId: ada, draftId: 1 }));
    const { ids } = fold(log);
    expect(ids.size).toBe(0);
    expect(refusal(() => decideChangeDraft(fold(log), 1, content))).toBe('noSuchDraft');
    expect(refusal(() => decideDeleteDraft(fold(log), { userId: ada, draftId: 1 }))).toBe('noSuchDraft');
  });

  it('are kept up to a number', () => {
    const log = new TestLog();
    const all = Array.from({ length: budgets.drafts.max }, () => content);
    log.append<DraftEvent>(stream, decideSaveDrafts(fold(log), all));
    expect(refusal(() => decideSaveDrafts(fold(log), [content]))).toBe('tooManyDrafts');
    expect(refusal(() => decideSaveDrafts(draftsFold.initial, [...all, content]))).toBe('tooManyDrafts');
  });
});
