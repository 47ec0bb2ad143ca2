import type { ModelDefinition } from '../../stores/read-store/port.js';

/** Which e-mails wait to be sent. */
export const mailModel: ModelDefinition = {
  name: 'mail',
  version: 4,
  collections: [{ name: 'letters', indexes: [{ key: { dueAt: 1 } }] }],
};

/** An e-mail that waits to be sent. Nothing of what it says is kept: it is written when it is sent. */
export type WaitingEmailDocument = {
  /** Id of the event that it is because of. */
  readonly _id: string;
  /** Where that event stands. */
  readonly stream: string;
  readonly revision: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
  /** When it is tried next: milliseconds since the UNIX epoch. */
  readonly dueAt: number;
};
