import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';

/** Batch appends are announced, as by the real server, but fail: with them a stalled server hangs its clients. */
const METHODS = ['append', 'batchappend', 'read'];

/** What the client is told when it asks what this server can do. */
export function supportedMethods(): SupportedMethods {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion('23.10.0.0').setMethodsList(methods);
}
