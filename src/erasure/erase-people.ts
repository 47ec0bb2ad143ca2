import type { Reactor } from '../../projections/engine/reactor.js';
import { on } from '../kernel/on.js';
import type { Erasing } from './erasing.js';
import { PersonErasureRequested } from '../events/erasure.js';

/** Erases people, where the read models are kept: one that a crash cut off is done again from its beginning. */
export class ErasePeople implements Reactor {
  readonly name = 'erase-people';
  readonly on = on(PersonErasureRequested, (event) => this.erasing.person(event.data.userId, event));

  constructor(private readonly erasing: Erasing) {}
}
