/**
 * The decorators and the base class of Nest that classes need which threads and the command-line tool use too. They come without the rest
 * of Nest: loading it takes each thread most of a second of a core, and tens of megabytes.
 */
import 'reflect-metadata';
import type { IQueryHandler, Query as BusQuery } from '@nestjs/cqrs';

export { Inject } from '@nestjs/common/decorators/core/inject.decorator.js';
export { Injectable } from '@nestjs/common/decorators/core/injectable.decorator.js';

type QueryClass = new (...parts: never[]) => BusQuery<unknown>;
type HandlerClass = new (...parts: never[]) => IQueryHandler;

const handlers = new Map<HandlerClass, QueryClass>();

/** The base class of queries, empty like Nest's. */
export const Query = class {} as typeof BusQuery;

/** Marks the handler of a query, like Nest's decorator. The application passes what is marked to Nest: {@link queryHandlers}. */
export function QueryHandler(query: QueryClass) {
  return (handler: HandlerClass): void => {
    handlers.set(handler, query);
  };
}

/** The marked handlers, each with its query. */
export function queryHandlers(): ReadonlyMap<HandlerClass, QueryClass> {
  return handlers;
}
