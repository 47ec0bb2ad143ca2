/** A query of the API, and who sends it. */
export interface PastQuery {
  readonly userId: number;
  /** Path, such as `users/me/subscriptions`. It may include an origin, the API's prefix and a query string. */
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A response of the API. */
export interface PastAnswer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** Answers any GET request as the API would have answered it in the past. */
export interface PastApi {
  ask(query: PastQuery): Promise<PastAnswer>;
  close(): Promise<void>;
}
