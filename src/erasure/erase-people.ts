import type { Reactor } from '../../projections/engine/reactor.js';
import { on } from '../kernel/on.js';
import type { Recorded } from '../kernel/event.js';
import type { HeldMessages } from '../audit/cases/held-messages.js';
import type { Erasing } from './erasing.js';
import type { PersonTraces } from './person-traces.js';
import { PersonErasureRequested } from '../events/erasure.js';

/** What {@link ErasePeople} needs. */
export interface ErasePeopleOptions {
  readonly erasing: Erasing;
  readonly people: PersonTraces;
  readonly held: HeldMessages;
}

/** Erases people, in the process that has the read models. An interrupted erasure is repeated from the beginning. */
export class ErasePeople implements Reactor {
  readonly name = 'erase-people';
  readonly on = on(PersonErasureRequested, (event) => this.erase(event));

  constructor(private readonly options: ErasePeopleOptions) {}

  /** A hold placed after the request does not stop the erasure: the order in the log decides. */
  private async erase(event: Recorded<typeof PersonErasureRequested>): Promise<void> {
    const { erasing, people, held } = this.options;
    const { userId } = event.data;
    const goes = await people.goesWith(userId);
    const caseIds = await held.casesOfPerson(userId, event, goes);
    if (caseIds.length > 0 && !(await erasing.isErased(userId)))
      return erasing.refusePerson(userId, caseIds, event);
    await erasing.person(userId, event);
  }
}
