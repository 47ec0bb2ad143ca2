import { expect, it, jest } from '@jest/globals';
import { FormerVersions } from '../../projections/engine/former-versions.js';
import { silentLogger } from '../../projections/engine/logger.js';
import type { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { standIn } from '../support/stand-in.js';
import { MemoryReadStore } from './support/memory-read-store.js';

it.each([
  ['after each build where another process may have erased something from journals meanwhile', false, 1],
  ['never where only this process could have erased something, and did not', true, 0],
])('What is left of deletions is overwritten %s', async (_, atomicBatches, expected) => {
  const readStore = new MemoryReadStore(atomicBatches);
  const scrub = jest.spyOn(readStore, 'scrub');
  const stopping = new AbortController().signal;
  const options = { readStore, logger: silentLogger, processName: 'test', stopping, onDrop: () => {} };
  const former = new FormerVersions(options, standIn<OperatorSettings>({}));
  await former.building('accounts', 1, async () => void (await readStore.openModel('accounts', 1, [])));
  expect(scrub).not.toHaveBeenCalled();
  await former.scrubAfterBuild('accounts');
  await former.scrubAfterBuild('accounts');
  expect(scrub).toHaveBeenCalledTimes(expected);
});
