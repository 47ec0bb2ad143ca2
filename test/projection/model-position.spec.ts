import { describe, expect, it } from '@jest/globals';
import { ModelPosition } from '../../projections/engine/model-position.js';
import type { ProjectionState } from '../../projections/engine/progress.js';

let time: number;

function modelThatIs(state: ProjectionState): ModelPosition {
  time = 1_000;
  const model = new ModelPosition('messages', () => time);
  become(model, state);
  return model;
}

function become(model: ModelPosition, state: ProjectionState): void {
  model.report({ projection: 'messages', state, version: 1, position: 9, stoppage: null });
}

describe('The time for which requests miss an event', () => {
  it('is the time that was looked up, if the model has been live for at least as long', () => {
    const model = modelThatIs('live');
    time += 60_000;
    model.reportServed({ position: 4, unseenMilliseconds: 3_000 });
    expect(model.status()).toMatchObject({ unseenMilliseconds: 3_000, lagMilliseconds: 3_000 });
  });

  it('is not counted from before a pause once the model is live again', () => {
    const model = modelThatIs('paused');
    time += 60_000;
    model.reportServed({ position: 4, unseenMilliseconds: 59_000 });
    expect(model.status()).toMatchObject({ unseenMilliseconds: 59_000 });
    become(model, 'live');
    time += 20;
    expect(model.status()).toMatchObject({ unseenMilliseconds: 20, lagMilliseconds: 20 });
  });

  it('grows again if the model says that it is live and requests still miss the event', () => {
    const model = modelThatIs('paused');
    become(model, 'live');
    time += 5_000;
    become(model, 'live');
    model.reportServed({ position: 4, unseenMilliseconds: 65_000 });
    expect(model.status()).toMatchObject({ unseenMilliseconds: 5_000, lagMilliseconds: 5_000 });
  });
});
