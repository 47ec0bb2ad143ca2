/** What the golden tests take of the program: the one file here that knows where its parts are. */
export { readConfiguration } from '../../../src/config.js';
export { eventCatalog } from '../../../src/stores/event-catalog.js';
export { errorTable } from '../../../src/kernel/errors.js';
