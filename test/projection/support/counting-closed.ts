import { openReaderEnvironment as open } from '../../../src/node/reader-node.js';
import type { ReaderEnvironment } from '../../../src/reader-threads/reader-protocol.js';
import { Connection } from '../../../src/stores/read-store/embedded/connection.js';
import type { ReadControl } from '../../../src/stores/read-store/port.js';
import type { StoreConfiguration } from '../../../src/stores/store-configuration.js';

/** What the threads of a test are given. */
export interface CountingConfiguration extends StoreConfiguration {
  /** How many files of read models were closed, over all threads. */
  readonly closed: SharedArrayBuffer;
}

/** What reader threads of the product do; it is counted which files of read models they close. */
export function openReaderEnvironment(
  { closed, ...configuration }: CountingConfiguration,
  control: ReadControl,
): Promise<ReaderEnvironment> {
  const { close } = Connection.prototype;
  Connection.prototype.close = function (this: Connection): void {
    close.call(this);
    Atomics.add(new Int32Array(closed), 0, 1);
  };
  return open(configuration, control);
}
