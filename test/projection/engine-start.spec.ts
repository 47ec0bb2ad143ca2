import { describe, expect, it } from '@jest/globals';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import { ModelsAtStart, ModelsUnavailableError } from '../../projections/engine/models-at-start.js';
import type { ProjectionState } from '../../projections/engine/progress.js';

/** A start at which one model is in some state and another is live, on a clock of its own. */
class Start {
  private milliseconds = 0;
  state: ProjectionState = 'building';
  serving: number | null = 1;

  readonly models = new ModelsAtStart({
    positions: { awaited: () => [this.status('messages', this.state), this.status('flags', 'live')] },
    readStore: { servingVersion: () => Promise.resolve(this.serving) },
    now: () => this.milliseconds,
  });

  /** Whether the start goes on, so many milliseconds later. */
  after(milliseconds: number): Promise<boolean> {
    this.milliseconds += milliseconds;
    return this.models.areReady();
  }

  private status(projection: string, state: ProjectionState): ModelStatus {
    const stoppage = state === 'unavailable' ? { reason: 'the disk is full', event: null } : null;
    const figures = { version: 1, position: null, lagMilliseconds: 0, events: 0, eventsPerSecond: 0 };
    return { projection, state, stoppage, ...figures, servedPosition: null, unseenMilliseconds: 0 };
  }
}

describe('A start', () => {
  it.each(['live', 'halted', 'frozen', 'paused'] as const)(
    'goes on with a model that is %s',
    async (state) => {
      const start = new Start();
      expect(await start.after(60_000)).toBe(false);
      start.state = state;
      expect(await start.after(0)).toBe(true);
    },
  );

  it('goes on with what serves while nothing but an unavailable store keeps it, after a while', async () => {
    const start = new Start();
    start.state = 'unavailable';
    expect(await start.after(0)).toBe(false);
    expect(await start.after(2_999)).toBe(false);
    start.state = 'catching-up';
    expect(await start.after(1)).toBe(false);
    start.state = 'unavailable';
    expect(await start.after(1)).toBe(false);
    expect(await start.after(3_000)).toBe(true);
  });

  it('ends with a sentence where nothing serves and nothing can be built', async () => {
    const start = new Start();
    start.state = 'unavailable';
    start.serving = null;
    expect(await start.after(0)).toBe(false);
    expect(await start.after(9_999)).toBe(false);
    const sentence = 'The read model "messages" cannot be built: the disk is full';
    const refusal = await start.after(1).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ModelsUnavailableError);
    expect((refusal as Error).message).toBe(sentence);
  });
});
