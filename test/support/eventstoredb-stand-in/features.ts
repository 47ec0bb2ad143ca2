import features, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';

/** Like the real server, it announces batch appends, but they fail: a server that stalls during them makes clients hang. */
const METHODS = ['append', 'batchappend', 'read'];

/** The reply to a client that asks for the server's features. */
export function supportedMethods(): SupportedMethods {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion('23.10.0.0').setMethodsList(methods);
}
