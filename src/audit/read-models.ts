import type { DeadLetter } from '../operations/projection-operations.js';
import type { ProjectionReport } from '../operations/projection-report.js';

/** How the read models of this process are doing. */
export abstract class ReadModels {
  abstract status(): Promise<readonly ProjectionReport[]>;
  abstract deadLetters(): Promise<readonly DeadLetter[]>;
}

/** Of the past there is nothing to operate. */
export class NoReadModels extends ReadModels {
  override status(): Promise<readonly ProjectionReport[]> {
    return Promise.resolve([]);
  }

  override deadLetters(): Promise<readonly DeadLetter[]> {
    return Promise.resolve([]);
  }
}
