/**
 * The decorators and the base class of Nest that classes need which threads and the command-line tool use too. They come without the rest
 * of Nest: loading it takes each thread most of a second of a core, and tens of megabytes.
 */
import { randomUUID } from 'node:crypto';
import 'reflect-metadata';
import type { IQueryHandler, Query as BusQuery } from '@nestjs/cqrs';

export { Inject } from '@nestjs/common/decorators/core/inject.decorator.js';
export { Injectable } from '@nestjs/common/decorators/core/injectable.decorator.js';

type QueryClass = new (...parts: never[]) => BusQuery<unknown>;
type HandlerClass = new (...parts: never[]) => IQueryHandler;

/** The base class of queries, empty like Nest's. */
export const Query = class {} as typeof BusQuery;

/** Marks the handler of a query with the metadata that `QueryHandler` of `@nestjs/cqrs` writes, which that package exports only whole. */
export function QueryHandler(query: QueryClass) {
  return (handler: HandlerClass): void => {
    if (!Reflect.hasOwnMetadata('__query__', query))
      Reflect.defineMetadata('__query__', { id: randomUUID() }, query);
    Reflect.defineMetadata('__queryHandler__', query, handler);
  };
}
