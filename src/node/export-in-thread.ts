import type { ExportInput, RunExport } from '../audit/exports/export-task.js';
import type { MadeExport } from '../audit/exports/exports.decide.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { taskInThread } from './task-in-thread.js';

/** The thread's heap contains all people and permissions, and the ids of every upload and key. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Makes exports, each in a separate thread that opens its own stores and closes them when it ends. */
export function exportInThread(configuration: ServerStoreConfiguration): RunExport {
  const entry = new URL('./export-thread.js', import.meta.url);
  return taskInThread<ExportInput, MadeExport>(configuration, { entry, name: 'an export', resourceLimits });
}
