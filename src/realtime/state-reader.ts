import type { QueryBus } from '@nestjs/cqrs';
import type { Readers } from '../reader-threads/readers.js';
import { SharedTimeSlice, writeInSlices } from '../runtime/time-slice.js';
import { jsonMember } from '../kernel/json.js';
import {
  isFetched,
  type InitialState,
  type LaterState,
  type LaterStateRequest,
  type StateRequest,
} from './initial-state.js';

/** What a {@link StateReader} depends on. */
export interface StateReaderOptions<Models> {
  readonly queries: QueryBus;
  readonly readers: Readers;
  readonly models: Models;
  /** Every part of the initial state. */
  readonly initialState: InitialState<Models>;
  readonly laterState: readonly LaterState[];
}

/** Puts together the initial state of a client. */
export class StateReader<Models = unknown> {
  constructor(private readonly options: StateReaderOptions<Models>) {}

  /** Returns members of a JSON object, each as text. */
  async read(
    asked: Pick<StateRequest, 'caller' | 'user' | 'snapshot' | 'options' | 'fetched'>,
  ): Promise<readonly string[]> {
    const { queries, models, initialState } = this.options;
    const request: StateRequest<Models> = { ...asked, queries, models };
    const parts = Object.entries(initialState).filter(([part]) => isFetched(request, part));
    const members = (
      await startInSlices(
        parts.map(
          ([, read]) =>
            async () =>
              read(request),
        ),
      )
    ).flatMap((fields) => Object.entries(fields));
    return (await writeInSlices(members, jsonMember)).filter((text) => text !== '');
  }

  /**
   * The members that take longer to read; where a reader thread made them, one text contains several. Events
   * do not wait for them.
   */
  async readLater(request: LaterStateRequest): Promise<readonly string[]> {
    const { readers, laterState } = this.options;
    const queries = laterState.flatMap((ask) => ask(request) ?? []);
    const texts = await Promise.all(queries.map((query) => readers.ask(query)));
    return texts.filter((text) => text !== '');
  }
}

/** Starts the reads one by one, yielding to other requests between them, and waits for all of them. */
async function startInSlices<Result>(starts: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const slice = new SharedTimeSlice();
  const started: Promise<Result>[] = [];
  for (const start of starts) {
    if (slice.isOver) await slice.next();
    const result = start();
    // `Promise.all` rejects with the same error; this prevents an unhandled rejection.
    result.catch(() => undefined);
    started.push(result);
  }
  return Promise.all(started);
}
