import type { RecordedEvent } from '../kernel/event.js';
import type { Letter } from './letter.js';

/**
 * Writes what somebody is told because of an event, when it is sent.
 *
 * An event that wants a letter stands in `mailed-events.ts`; its context provides a writer, which gives itself to
 * {@link Correspondence} in `onModuleInit`. That is all: the letter is then sent once, survives restarts, and is tried again with
 * growing pauses while the mail server is down (`docs/adr/0013-letters.md`).
 */
export interface LetterWriter {
  /** The type of the event. */
  readonly because: string;
  /**
   * The letter as of now; null when there is nothing to tell any more (an invitation was revoked, content was erased). Links that
   * let whoever follows them in carry a token of `LinkTokens`, so that the log holds no secret.
   */
  write(event: RecordedEvent): Promise<Letter | null>;
}

/** Everyone who writes letters, by the event that they write because of. */
export class Correspondence {
  private readonly writers = new Map<string, LetterWriter>();

  add(writer: LetterWriter): void {
    if (this.writers.has(writer.because)) throw new Error(`Two writers of letters for ${writer.because}`);
    this.writers.set(writer.because, writer);
  }

  /** Writes the letter because of an event; null when there is nothing to tell any more. */
  write(event: RecordedEvent): Promise<Letter | null> {
    const writer = this.writers.get(event.type);
    if (writer === undefined) throw new Error(`Nobody writes letters for ${event.type}`);
    return writer.write(event);
  }

  /** The types of the events that letters are written because of. */
  get occasions(): readonly string[] {
    return [...this.writers.keys()];
  }
}
