/** The entry of reader threads, without a build. */
import { register } from 'node:module';

register('../../support/typescript/hooks.mjs', import.meta.url);

/** Loaded when the hooks are there. */
export async function perform(task) {
  const { perform: work } = await import('../../../src/reader-threads/reader-thread.ts');
  return work(task);
}
