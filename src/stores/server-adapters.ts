/**
 * The client libraries of servers are large, and would be loaded twice (projectors have a thread of their own), so only processes that use
 * them load them.
 */
export const mongoStores = () => import('./mongodb/stores.js');

export const eventStoreDb = () => import('./event-store/eventstoredb/event-store-db.js');

export const s3FileStore = () => import('./file-store/s3/s3-file-store.js');
