/** What the golden tests import from the program: only this file knows where its modules are. */
export { readConfiguration } from '../../../src/config.js';
export { eventCatalog } from '../../../src/stores/event-catalog.js';
export { errorTable } from '../../../src/kernel/errors.js';
