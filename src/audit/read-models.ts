import type { DeadLetter } from '../operations/dead-letters.js';
import type { ProjectionReport } from '../operations/projection-report.js';

/** The status of the read models of this process. */
export abstract class ReadModels {
  abstract status(): Promise<readonly ProjectionReport[]>;
  abstract deadLetters(): Promise<readonly DeadLetter[]>;
}

/** For a server that shows the past, which has no read models to operate. */
export class NoReadModels extends ReadModels {
  override status(): Promise<readonly ProjectionReport[]> {
    return Promise.resolve([]);
  }

  override deadLetters(): Promise<readonly DeadLetter[]> {
    return Promise.resolve([]);
  }
}
