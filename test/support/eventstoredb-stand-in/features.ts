import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';

/** Batch appends are left out, so that a client without credentials falls back to the unary append. */
const METHODS = ['append', 'read'];

/** What the client is told when it asks what this server can do. */
export function supportedMethods(): SupportedMethods {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion('23.10.0.0').setMethodsList(methods);
}
