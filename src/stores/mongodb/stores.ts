/** All stores on MongoDB in one module, so that a process without them loads neither them nor the driver. */
export { connectMongoCredentialStore } from '../credential-store/mongodb/mongo-credential-store.js';
export { connectMongoKeyStore } from '../key-store/mongodb/mongo-key-store.js';
export { connectMongoQueueStore } from '../queue-store/mongodb/mongo-queue-store.js';
export { connectMongoSignalStore } from '../signal-store/mongodb/mongo-signal-store.js';
export { probeMongo } from './probe.js';
export { connectMongoReadStore } from '../read-store/mongodb/mongo-read-store.js';
