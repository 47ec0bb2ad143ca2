/** A query of the API, and who sends it. */
export interface PastQuery {
  readonly userId: number;
  /** Path, such as `users/me/subscriptions`; the API's prefix, an address before it and parameters behind it may be there too. */
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** What the API answers. */
export interface PastAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** The API as it would have answered: any GET of it. */
export interface PastApi {
  ask(query: PastQuery): Promise<PastAnswer>;
  close(): Promise<void>;
}

/** What can be moved to a moment of the past, so that the API answers as it did then. */
export interface PastPlace {
  /** @param place position of the last event that counts, and the time then, in milliseconds since the UNIX epoch */
  moveTo(place: { readonly position: number; readonly now: number }): Promise<void>;
}
