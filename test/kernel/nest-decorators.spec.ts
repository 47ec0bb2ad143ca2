import 'reflect-metadata';
import * as cqrs from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Query, QueryHandler } from '../../src/runtime/nest-decorators.js';

class NestsQuery extends cqrs.Query<number> {}
class NestsHandler implements cqrs.IQueryHandler<NestsQuery> {
  execute = () => Promise.resolve(0);
}
class LightQuery extends Query<number> {}
class LightHandler implements cqrs.IQueryHandler<LightQuery> {
  execute = () => Promise.resolve(0);
}

function metadataOf(target: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Reflect.getMetadataKeys(target).map((key: string) => [key, Reflect.getMetadata(key, target)]),
  );
}

describe('The decorator of query handlers that loads no framework', () => {
  it('writes the metadata that the one of Nest writes', () => {
    cqrs.QueryHandler(NestsQuery)(NestsHandler);
    QueryHandler(LightQuery)(LightHandler);
    expect(Object.keys(metadataOf(NestsHandler))).toHaveLength(1);
    const [handlerKey] = Object.keys(metadataOf(NestsHandler));
    expect(metadataOf(LightHandler)).toEqual({ [handlerKey!]: LightQuery });
    expect(Object.keys(metadataOf(LightQuery))).toEqual(Object.keys(metadataOf(NestsQuery)));
    expect(Object.values(metadataOf(LightQuery))).toEqual([{ id: expect.any(String) }]);
  });
});
