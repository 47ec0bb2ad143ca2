import {
  isReadable,
  type LoggedEvent,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import type { NameHistory } from '../../audit/sentences/name-history.js';
import { plain } from '../../audit/sentences/wording.js';
import { sentenceOf, type MovedCount } from '../../audit/sentences/sentence-of.js';
import { csvLine } from '../../audit/csv-line.js';
import { shownTime } from './moment.js';

/** An event of the log as it is printed. */
type PrintedEvent = LoggedEvent & MovedCount;

/** Writes events, one after another. */
export interface LogFormat {
  /** The lines of an event. Those of the first event follow the heading, if there is one. */
  of(event: PrintedEvent): readonly string[];
}

/** For programs: each event completely, as JSON, with its sentence, in the form of `GET /audit/log`. */
export class JsonLines implements LogFormat {
  constructor(private readonly names: NameHistory) {}

  of(event: PrintedEvent): readonly string[] {
    const sentence = isReadable(event) ? sentenceOf(event, this.names) : null;
    return [JSON.stringify({ ...event, sentence })];
  }
}

/** For people: one line per event, under a heading. */
export class LogLines implements LogFormat {
  private isBegun = false;

  constructor(
    private readonly names: NameHistory,
    /** Maximum number of characters per line; null: unlimited. */
    private readonly columns: number | null,
  ) {}

  of(event: PrintedEvent): readonly string[] {
    const heading = this.isBegun ? [] : [inColumns('POSITION', 'TIME (UTC)', 'EVENT', 'WHAT HAPPENED')];
    this.isBegun = true;
    return [...heading, this.lineOf(event)];
  }

  private lineOf(event: PrintedEvent): string {
    const { position, stream, revision, type } = event;
    // The line of an unreadable event is never cut, and shows only what is certain.
    if (!isReadable(event))
      return inColumns(String(position), plain(`${stream}@${revision}`), plain(type), unreadableText(event));
    const line = inColumns(
      String(position),
      shownTime(event.metadata.at),
      type,
      sentenceOf(event, this.names),
    );
    return this.columns === null || line.length <= this.columns
      ? line
      : `${line.slice(0, this.columns - 1)}…`;
  }
}

/** For spreadsheets: comma-separated values (RFC 4180) with a line of column names. */
export class CsvLines implements LogFormat {
  private isBegun = false;

  constructor(private readonly names: NameHistory) {}

  of(event: PrintedEvent): readonly string[] {
    const heading = ['position', 'time', 'type', 'stream', 'revision', 'actor_id', 'client', 'what_happened'];
    const rows = this.isBegun ? [this.row(event)] : [heading, this.row(event)];
    this.isBegun = true;
    return rows.map(csvLine);
  }

  private row(event: PrintedEvent): readonly string[] {
    const { position, type, stream, revision } = event;
    const place = (time: string): readonly string[] => [
      String(position),
      time,
      type,
      stream,
      String(revision),
    ];
    if (!isReadable(event)) return [...place(''), '', '', unreadableText(event)];
    const { at, actorId, client } = event.metadata;
    const actor = actorId === null ? '' : String(actorId);
    return [...place(new Date(at).toISOString()), actor, client, sentenceOf(event, this.names)];
  }
}

function unreadableText({ id, unreadable }: UnreadableEvent): string {
  return `${plain(id)}  (unreadable) ${plain(unreadable)}`;
}

function inColumns(...[position, time, type, rest]: [string, string, string, string]): string {
  return [position.padStart(8), time.padEnd(23), type.padEnd(20), rest].join('  ');
}
