import { expect, it } from '@jest/globals';
import {
  boundedTimeline,
  type DescribedTimeline,
  type DescribedStep,
} from '../../src/audit/message-timeline/described-timeline.js';
import { boundedViews, type MessageView } from '../../src/audit/past/message-views.js';
import { budgets } from '../../src/kernel/budgets.js';

const step: Omit<DescribedStep, 'change'> = {
  position: 1,
  eventId: 'an id',
  at: 0,
  actorId: 3,
  client: 'test',
  erased: false,
  sentence: 'Ada did something.',
  renderedContent: null,
};

function lifeOf(content: string): DescribedTimeline {
  const changes = [{ kind: 'added' as const, text: 'x' }];
  return {
    messageId: 1,
    senderId: 3,
    steps: [
      { ...step, change: { kind: 'sent', content, location: { type: 'direct', userIds: [3] } } },
      { ...step, change: { kind: 'edited', content: 'x', changes }, renderedContent: '<p>x</p>' },
      { ...step, change: { kind: 'deleted' } },
    ],
  };
}

it('Steps are told without their texts once those before are as long as a reply may be', () => {
  const max = 'x'.repeat(budgets.timelineCharacters.max - '<p>x</p>'.length - 2);
  expect(boundedTimeline(lifeOf(max))).toEqual(lifeOf(max));
  const { steps } = boundedTimeline(lifeOf(`${max}x`));
  expect(steps[0]).not.toHaveProperty('cut');
  const left = { cut: true, renderedContent: null };
  expect(steps[1]).toMatchObject({ ...left, change: { kind: 'edited', content: '', changes: [] } });
  expect(steps[2]).toMatchObject({ change: { kind: 'deleted' }, sentence: 'Ada did something.' });
});

it('What a person could see ends where the texts are as long as a reply may be, but never before its beginning', () => {
  const view = (position: number, content: string): MessageView => {
    return { position, at: 0, message: { content, subject: 'notes', flags: [] } };
  };
  const half = 'x'.repeat(budgets.messageViewCharacters.max / 2 - 200);
  const gone: MessageView = { position: 3, at: 0, message: null };
  const views = [view(1, half), view(2, half), gone];
  expect(boundedViews(views.slice(0, 2))).toEqual(views.slice(0, 2));
  expect(boundedViews(views)).toEqual(views.slice(0, 2));
  expect(boundedViews([view(1, `${half}${half}${half}`), gone])).toHaveLength(1);
});
