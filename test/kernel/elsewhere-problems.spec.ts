import { describe, expect, it } from '@jest/globals';
import { elsewhereProblems } from '../../src/operations/overview/elsewhere.js';

const model = { projection: 'messages', lagSeconds: 0.5, building: null };
const reactor = { reactor: 'send-mails', stoppedSeconds: 0, lagEvents: 0 };

function sentences(facts: Parameters<typeof elsewhereProblems>[0]): readonly (readonly [string, string])[] {
  return elsewhereProblems(facts).map(({ level, what }) => [level, what] as const);
}

describe('The problems of read models and reactors that another process may run', () => {
  it('are none if this process runs all of them, or another one has reported them', () => {
    const facts = {
      projections: [{ ...model, state: 'live' as const, lagSeconds: 900 }],
      reactors: [{ ...reactor, state: 'acting' as const }],
    };
    expect(sentences(facts)).toEqual([]);
  });

  it('say that nobody has reported them, so that the verdict is never that all is well', () => {
    const facts = {
      projections: [
        { ...model, state: null },
        { ...model, projection: 'search', state: 'standby' as const },
      ],
      reactors: [{ ...reactor, state: 'standby' as const }],
    };
    expect(sentences(facts)).toEqual([
      ['act', 'No running process has reported that it keeps 2 read models and runs one reactor.'],
    ]);
    expect(elsewhereProblems(facts)[0]!.todo).toContain('/health/ready');
  });

  it('say that a model lags behind the log, according to its stored checkpoint', () => {
    const facts = { projections: [{ ...model, state: null, lagSeconds: 61.3 }], reactors: [] };
    expect(sentences(facts)).toEqual([
      ['act', 'No running process has reported that it keeps one read model.'],
      ['act', 'The read model messages, which no running process keeps, is 61 s behind the log.'],
    ]);
  });
});
