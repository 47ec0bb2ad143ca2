import { LRUCache } from 'lru-cache';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from './event-log.js';
import type { Commands, Repetitions, StreamEnd } from './repetitions.js';
import { CONSECUTIVE_COMMANDS } from './state-cache.js';

/** A command, and its stream. */
interface SoughtCommand extends StreamEnd {
  readonly metadata: Pick<EventMetadata, 'commandId' | 'causationId'>;
}

const PAGE_SIZE = 1000;

/** Maximum number of streams of which a reactor's earlier commands are remembered, and of commands that were refused as repeated. */
const MAX_STREAMS = 1000;
const MAX_REFUSED = 1000;

/**
 * The events that a reactor may have handled before: those after its checkpoint that were in the log when it began. Their commands may be
 * in the log without being among the last ones of their stream, and EventStoreDB would write them again.
 */
export class RepeatedReactions {
  private readonly byStream = new LRUCache<string, Commands>({ max: MAX_STREAMS });

  private constructor(
    private readonly log: EventLog,
    /** Position of the end of the log when the reactor began; null: the log was empty. */
    private readonly through: number | null,
  ) {}

  /** To be called when a reactor begins. */
  static async begin(log: EventLog): Promise<RepeatedReactions> {
    return new RepeatedReactions(log, await log.store.head());
  }

  /** Handles an event: decisions that it causes recognise what an earlier attempt appended. */
  handle<Result>(
    { id, position }: Pick<RecordedEvent, 'id' | 'position'>,
    task: () => Promise<Result>,
  ): Promise<Result> {
    if (this.through === null || position >= this.through) {
      this.byStream.clear();
      return task();
    }
    const repetition = { commandsIn: (end: StreamEnd) => this.commandsIn(end, position) };
    return this.log.repetitions.during(id, repetition, task);
  }

  /**
   * The commands that appended to a stream after a position. It is read once: what this process appends later for the reactor is no
   * repetition, and later calls are about later positions.
   */
  private async commandsIn({ stream, commands: last }: StreamEnd, after: number): Promise<Commands> {
    const known = this.byStream.get(stream);
    if (known !== undefined) return known;
    const commands = new Map(last?.map(({ commandId, revision }) => [commandId, revision]));
    // Between the commands before these there may be others.
    const oldest = last?.at(-CONSECUTIVE_COMMANDS) ?? last?.[0];
    let from = last === undefined ? undefined : (oldest?.revision ?? 0) - 1;
    while (from === undefined || from >= 0) {
      const range = {
        ...(from !== undefined && { from }),
        direction: 'backwards',
        limit: PAGE_SIZE,
      } as const;
      const page = await this.log.readStream(stream, range);
      const later = page.filter(({ position }) => position > after);
      // Backwards, so the first event of a command is set last.
      for (const { metadata, revision } of later) commands.set(metadata.commandId, revision);
      if (later.length < PAGE_SIZE) break;
      from = later.at(-1)!.revision - 1;
    }
    this.byStream.set(stream, commands);
    return commands;
  }
}

/** Finds commands that are in the log already. */
export class EarlierCommands {
  /** Commands that the store refused, because it has their events. */
  private readonly refused = new LRUCache<string, number>({ max: MAX_REFUSED });

  constructor(private readonly repetitions: Repetitions) {}

  /** To be called when the store has the events of a command, the first one at this revision. */
  noteRefused(stream: string, commandId: string, revision: number): void {
    this.refused.set(keyOf(stream, commandId), revision);
  }

  /** Revision of a command's first event; undefined: it is not known to be in the log. */
  async find({ metadata, stream, commands }: SoughtCommand): Promise<number | undefined> {
    const { commandId, causationId } = metadata;
    const mark = commands?.find((command) => command.commandId === commandId);
    const known = mark?.revision ?? this.refused.get(keyOf(stream, commandId));
    if (known !== undefined) return known;
    for (const repetition of this.repetitions.of(causationId)) {
      const revision = (await repetition.commandsIn({ stream, commands })).get(commandId);
      if (revision !== undefined) return revision;
    }
    return undefined;
  }
}

function keyOf(stream: string, commandId: string): string {
  return `${commandId} ${stream}`;
}
