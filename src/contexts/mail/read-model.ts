import type { ModelDefinition } from '../../stores/read-store/port.js';

/** The e-mails that wait to be sent. */
export const mailModel: ModelDefinition = {
  name: 'mail',
  version: 5,
  collections: [{ name: 'letters', indexes: [{ key: { dueAt: 1 } }] }],
};

/** A waiting e-mail. Its content is not stored, because it is written when it is sent. */
export type WaitingEmailDocument = {
  /** Id of the event that it is about. */
  readonly _id: string;
  /** The stream of that event. */
  readonly stream: string;
  readonly revision: number;
  /** Who takes turns with others: the id of the account that caused it, or else the stream of the event. */
  readonly owner: number | string;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
  /** When it is tried next: milliseconds since the UNIX epoch. */
  readonly dueAt: number;
};
