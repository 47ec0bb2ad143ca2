import type { QueryBus } from '@nestjs/cqrs';
import type { Readers } from '../reader-threads/readers.js';
import { JsonText } from './client-event.js';
import {
  isFetched,
  type InitialState,
  type LaterState,
  type LaterStateRequest,
  type StateRequest,
} from './initial-state.js';

/** What a {@link StateReader} works with. */
export interface StateReaderOptions<Models> {
  readonly queries: QueryBus;
  readonly readers: Readers;
  readonly models: Models;
  /** Every part that a client can be told of from the start. */
  readonly initialState: InitialState<Models>;
  readonly laterState: readonly LaterState[];
}

/** Puts together what a client is told of from the start. */
export class StateReader<Models = unknown> {
  constructor(private readonly options: StateReaderOptions<Models>) {}

  /** Members of a JSON object, as text without braces; empty when nothing is asked for. */
  async read(
    asked: Pick<StateRequest, 'caller' | 'user' | 'moment' | 'options' | 'fetched'>,
  ): Promise<string> {
    const { queries, models, initialState } = this.options;
    const request: StateRequest<Models> = { ...asked, queries, models };
    const parts = Object.entries(initialState).filter(([part]) => isFetched(request, part));
    const fields = await Promise.all(parts.map(async ([, read]) => read(request)));
    return fields.flatMap((part) => Object.entries(part).flatMap(member)).join(',');
  }

  /** What takes longer, in the same form: nobody's events wait for it. */
  async readLater(request: LaterStateRequest): Promise<string> {
    const { readers, laterState } = this.options;
    const queries = laterState.flatMap((ask) => ask(request) ?? []);
    const texts = await Promise.all(queries.map((query) => readers.ask(query)));
    return texts.filter((text) => text !== '').join(',');
  }
}

function member([name, value]: [string, unknown]): string[] {
  if (value === undefined) return [];
  return [`${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`];
}
