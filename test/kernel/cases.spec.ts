import { describe, expect, it } from '@jest/globals';
import {
  decideChangeCase,
  decideCloseCase,
  decideCreateCase,
  decideLiftHold,
  decidePlaceHold,
  validSearchWords,
} from '../../src/audit/cases/case.decide.js';
import { caseFold, type Case, type CaseDescription } from '../../src/audit/cases/case.state.js';
import { isInScope, textTest } from '../../src/audit/cases/coverage.js';
import { caseStream, type CaseEvent, type CaseScope } from '../../src/events/cases.js';
import { budgets } from '../../src/kernel/budgets.js';
import { refusal, TestLog } from '../support/given.js';

const everything: CaseScope = { userIds: [], channelIds: [], since: null, until: null };
const dispute: CaseDescription = {
  name: 'Engine dispute',
  description: 'Who promised what.',
  scope: { ...everything, channelIds: [1] },
  words: null,
};
const byCaller = { operator: null };

function after(...events: readonly CaseEvent[]): Case | null {
  const log = new TestLog();
  log.append(caseStream(1), events);
  return log.fold(caseFold, caseStream(1));
}

const created = decideCreateCase(1, dispute, byCaller);
const held = [...created, ...decidePlaceHold(after(...created), {}, byCaller)];

describe('a case', () => {
  it('is created with a scope in which each name stands once', () => {
    const scope = { ...everything, userIds: [5, 3, 5], channelIds: [2, 1] };
    const [event] = decideCreateCase(
      1,
      { ...dispute, name: ' Dispute ', scope, words: ' ' },
      { operator: 'root' },
    );
    expect(event).toEqual({
      type: 'CaseCreated',
      data: {
        caseId: 1,
        name: 'Dispute',
        description: 'Who promised what.',
        scope: { ...scope, userIds: [3, 5], channelIds: [1, 2] },
        words: null,
        operator: 'root',
      },
    });
  });

  it('has a name on one line, and what else it says has its bounds', () => {
    const attempt = (change: Partial<CaseDescription>) => (): unknown =>
      decideCreateCase(1, { ...dispute, ...change }, byCaller);
    expect(refusal(attempt({ name: '  ' }))).toBe('textBlank');
    expect(refusal(attempt({ name: 'a\nb' }))).toBe('textNotOnOneLine');
    const tooLong = 'n'.repeat(budgets.caseName.max + 1);
    expect(refusal(attempt({ name: tooLong }))).toBe('textTooLong');
    const description = 'd'.repeat(budgets.caseDescription.max + 1);
    expect(refusal(attempt({ description }))).toBe('textTooLong');
    const userIds = Array.from({ length: budgets.caseScope.max + 1 }, (_, index) => index + 1);
    expect(refusal(attempt({ scope: { ...everything, userIds } }))).toBe('caseScopeTooWide');
    const backwards = { ...everything, since: 2, until: 1 };
    expect(refusal(attempt({ scope: backwards }))).toBe('caseScopeBackwards');
  });

  it('is one of no more than the budget allows', () => {
    expect(decideCreateCase(budgets.cases.max, dispute, byCaller)).toHaveLength(1);
    const oneMore = (): unknown => decideCreateCase(budgets.cases.max + 1, dispute, byCaller);
    expect(refusal(oneMore)).toBe('tooManyCases');
  });

  it('takes words that tell texts apart, and not too many', () => {
    expect(validSearchWords(' delivery date ')).toBe('delivery date');
    expect(refusal(() => validSearchWords('the of'))).toBe('vagueCaseWords');
    const many = Array.from({ length: budgets.searchWords.max + 1 }, (_, index) => `w${index}`).join(' ');
    expect(refusal(() => validSearchWords(many))).toBe('tooManyCaseWords');
  });

  it('is changed as long as it is open, and not at all by what changes nothing', () => {
    const state = after(...created);
    expect(decideChangeCase(state, {}, byCaller)).toEqual([]);
    const [changed] = decideChangeCase(state, { name: 'Boiler dispute' }, byCaller);
    expect(changed!.data).toMatchObject({
      name: 'Boiler dispute',
      scope: dispute.scope,
      caseKey: state!.key,
    });
    const closed = after(...created, ...decideCloseCase(state, {}, byCaller));
    expect(refusal(() => decideChangeCase(closed, { name: 'Other' }, byCaller))).toBe('caseClosed');
    expect(refusal(() => decidePlaceHold(closed, {}, byCaller))).toBe('caseClosed');
    expect(decideCloseCase(closed, {}, byCaller)).toEqual([]);
  });

  it('is not changed on the basis of an outdated version, and keeps fields that a change does not name', () => {
    const first = after(...created);
    const changed = after(...created, ...decideChangeCase(first, { scope: { since: 5 } }, byCaller));
    const [second] = decideChangeCase(changed, { scope: { until: 9 } }, byCaller);
    expect(second!.data).toMatchObject({ scope: { ...dispute.scope, since: 5, until: 9 } });
    const stale = { scope: { until: 9 }, revision: first!.revision };
    expect(refusal(() => decideChangeCase(changed, stale, byCaller))).toBe('caseChangedMeanwhile');
    expect(decideChangeCase(changed, { ...stale, revision: changed!.revision }, byCaller)).toHaveLength(1);
  });

  it('is not held or closed on the basis of an outdated version', () => {
    const read = { revision: after(...created)!.revision };
    const changed = after(
      ...created,
      ...decideChangeCase(after(...created), { scope: { since: 5 } }, byCaller),
    );
    for (const decide of [decidePlaceHold, decideCloseCase]) {
      expect(refusal(() => decide(changed, read, byCaller))).toBe('caseChangedMeanwhile');
      expect(decide(changed, { revision: changed!.revision }, byCaller)).toHaveLength(1);
      expect(decide(changed, {}, byCaller)).toHaveLength(1);
    }
  });

  it('can be held again with the revision that was read before, because a reply may be lost', () => {
    const read = { revision: after(...created)!.revision };
    expect(decidePlaceHold(after(...held), read, byCaller)).toEqual([]);
    const renamed = after(...held, ...decideChangeCase(after(...held), { name: 'Other' }, byCaller));
    expect(decidePlaceHold(renamed, read, byCaller)).toEqual([]);
  });

  it('is not held again by somebody who read another scope than the hold is on', () => {
    const read = { revision: after(...created)!.revision };
    const changes = [...created, ...decideChangeCase(after(...created), { scope: { since: 5 } }, byCaller)];
    const heldByAnother = after(...changes, ...decidePlaceHold(after(...changes), {}, byCaller));
    expect(refusal(() => decidePlaceHold(heldByAnother, read, byCaller))).toBe('caseChangedMeanwhile');
    expect(decidePlaceHold(heldByAnother, { revision: after(...changes)!.revision }, byCaller)).toEqual([]);
  });

  it('can be changed again with the revision that was read before, because a reply may be lost', () => {
    const change = { name: 'Boiler dispute', revision: after(...created)!.revision };
    const changed = after(...created, ...decideChangeCase(after(...created), change, byCaller));
    expect(decideChangeCase(changed, change, byCaller)).toEqual([]);
    const other = { ...change, name: 'Another' };
    expect(refusal(() => decideChangeCase(changed, other, byCaller))).toBe('caseChangedMeanwhile');
  });

  it('can be closed again with the revision that was read before, because a reply may be lost', () => {
    const read = { revision: after(...created)!.revision };
    const closed = after(...created, ...decideCloseCase(after(...created), read, byCaller));
    expect(decideCloseCase(closed, read, byCaller)).toEqual([]);
  });

  it('is not changed, held or closed where there is none', () => {
    for (const decide of [decidePlaceHold, decideCloseCase])
      expect(refusal(() => decide(null, {}, byCaller))).toBe('noSuchCase');
    expect(refusal(() => decideLiftHold(null, byCaller))).toBe('noSuchCase');
  });
});

describe('a legal hold', () => {
  it('is placed and lifted once each', () => {
    const state = after(...held);
    expect(held.at(-1)!.data).toMatchObject({ caseId: 1, scope: dispute.scope, words: null });
    expect(decidePlaceHold(state, {}, byCaller)).toEqual([]);
    const lifted = decideLiftHold(state, { operator: 'root' });
    expect(lifted).toEqual([{ type: 'CaseHoldLifted', data: { caseId: 1, operator: 'root' } }]);
    expect(decideLiftHold(after(...held, ...lifted), byCaller)).toEqual([]);
  });

  it('keeps the scope that it was placed on, and the case open', () => {
    const state = after(...held);
    expect(decideChangeCase(state, { name: 'Other' }, byCaller)).toHaveLength(1);
    for (const change of [{ scope: everything }, { words: 'boiler' }])
      expect(refusal(() => decideChangeCase(state, change, byCaller))).toBe('caseHeld');
    expect(refusal(() => decideCloseCase(state, {}, byCaller))).toBe('caseHeld');
  });
});

describe('what a case covers', () => {
  const places = [{ type: 'channel', channelId: 1, topic: 'engines' }] as const;
  const message = { senderId: 3, places, at: 1000 };

  it('is everything that passes each part of its scope', () => {
    expect(isInScope(everything, message)).toBe(true);
    expect(isInScope({ ...everything, userIds: [3], channelIds: [1, 2] }, message)).toBe(true);
    expect(isInScope({ ...everything, userIds: [4] }, message)).toBe(false);
    expect(isInScope({ ...everything, userIds: [3], channelIds: [2] }, message)).toBe(false);
    expect(isInScope({ ...everything, since: 1000, until: 1000 }, message)).toBe(true);
    expect(isInScope({ ...everything, since: 1001 }, message)).toBe(false);
    expect(isInScope({ ...everything, until: 999 }, message)).toBe(false);
  });

  it('includes direct messages by any participant, and messages by any channel that they were ever in', () => {
    const direct = { ...message, places: [{ type: 'direct' as const, userIds: [3, 9] }] };
    expect(isInScope({ ...everything, userIds: [9] }, direct)).toBe(true);
    expect(isInScope({ ...everything, channelIds: [1] }, direct)).toBe(false);
    const moved = { ...message, places: [...places, { type: 'channel', channelId: 7, topic: 'x' }] as const };
    for (const channelId of [1, 7])
      expect(isInScope({ ...everything, channelIds: [channelId] }, moved)).toBe(true);
  });

  it('contains all of the words, with any endings', () => {
    const says = textTest('delivery "red boiler"');
    expect(says('The delivery of the Red Boiler')).toBe(true);
    expect(says('Deliveries of a red boiler')).toBe(true);
    expect(says('The delivery of a boiler, red')).toBe(false);
    expect(textTest(null)('')).toBe(true);
  });
});
