import { NameHistory } from '../../../src/audit/sentences/name-history.js';
import { openReaderEnvironment as open } from '../../../src/node/reader-node.js';
import type { ReaderEnvironment } from '../../../src/reader-threads/reader-protocol.js';
import type { ReadControl } from '../../../src/stores/read-store/port.js';
import type { StoreConfiguration } from '../../../src/stores/store-configuration.js';

/** What the threads of a test are given. */
export interface CountingConfiguration extends StoreConfiguration {
  /** How many events that give names were read, over all threads. */
  readonly learned: SharedArrayBuffer;
}

/** What reader threads of the product do; it is counted which names they learn. */
export function openReaderEnvironment(
  { learned, ...configuration }: CountingConfiguration,
  control: ReadControl,
): Promise<ReaderEnvironment> {
  const { learn } = NameHistory.prototype;
  NameHistory.prototype.learn = function (this: NameHistory, event): void {
    learn.call(this, event);
    Atomics.add(new Int32Array(learned), 0, 1);
  };
  return open(configuration, control);
}
