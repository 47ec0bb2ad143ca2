import type { ExportInput, RunExport } from '../audit/exports/export-task.js';
import type { MadeExport } from '../audit/exports/exports.decide.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { taskInThread } from './task-in-thread.js';

/** Who exists and who may do what is in it, and the ids of every upload and key. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Makes exports, each in a thread of its own, with stores of its own, which it closes when it ends. */
export function exportInThread(configuration: ServerStoreConfiguration): RunExport {
  const entry = new URL('./export-thread.js', import.meta.url);
  return taskInThread<ExportInput, MadeExport>(configuration, { entry, name: 'an export', resourceLimits });
}
