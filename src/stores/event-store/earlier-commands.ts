import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import type { EventLog } from './event-log.js';
import type { StateEntry } from './state-cache.js';

/** Revisions of the first events of commands on one stream, by command id. */
type Commands = ReadonlyMap<string, number>;

/** A command, its stream, and the cached state of that stream; undefined: none is cached. */
interface SoughtCommand {
  readonly stream: string;
  readonly commandId: string;
  readonly entry: StateEntry | undefined;
}

/** What is handled perhaps for the second time. */
interface Repetition {
  /** What it appended the first time comes after this position. */
  readonly after: number;
  readonly repeated: RepeatedReactions;
}

const PAGE_SIZE = 1000;

/** Maximum number of streams of which a reactor's earlier commands are remembered, and of commands that were refused as repeated. */
const MAX_STREAMS = 1000;
const MAX_REFUSED = 1000;

const here = new AsyncLocalStorage<Repetition | null>();

/**
 * The events that a reactor may have handled before: those after its checkpoint that were in the log when it began. Their commands may be
 * in the log without being among the last ones of their stream, and EventStoreDB would write them again.
 */
export class RepeatedReactions {
  private readonly byStream = new LRUCache<string, Commands>({ max: MAX_STREAMS });

  /** @param through position of the end of the log when the reactor began; null: the log was empty */
  constructor(private readonly through: number | null) {}

  /** Handles what stands at a position of the log: decisions made meanwhile recognise what an earlier attempt appended. */
  handle<Result>(position: number, task: () => Promise<Result>): Promise<Result> {
    const isNew = this.through === null || position >= this.through;
    if (isNew) this.byStream.clear();
    return here.run(isNew ? null : { after: position, repeated: this }, task);
  }

  /**
   * The commands that appended to a stream after a position. It is read once: what this process appends later for the reactor is no
   * repetition, and later calls are about later positions.
   */
  async commandsIn(
    { stream, entry }: Omit<SoughtCommand, 'commandId'>,
    after: number,
    log: Pick<EventLog, 'readStream'>,
  ): Promise<Commands> {
    const known = this.byStream.get(stream);
    if (known !== undefined) return known;
    const commands = new Map(entry?.commands.map(({ commandId, revision }) => [commandId, revision]));
    let from = entry === undefined ? undefined : (entry.commands[0]?.revision ?? 0) - 1;
    while (from === undefined || from >= 0) {
      const range = {
        ...(from !== undefined && { from }),
        direction: 'backwards',
        limit: PAGE_SIZE,
      } as const;
      const page = await log.readStream(stream, range);
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

  constructor(private readonly log: Pick<EventLog, 'readStream'>) {}

  /** To be called when the store has the events of a command, the first one at this revision. */
  noteRefused({ stream, commandId }: Omit<SoughtCommand, 'entry'>, revision: number): void {
    this.refused.set(keyOf(stream, commandId), revision);
  }

  /** Revision of a command's first event; undefined: it is not known to be in the log. */
  async find({ stream, commandId, entry }: SoughtCommand): Promise<number | undefined> {
    const repetition = here.getStore();
    const mark = entry?.commands.find((command) => command.commandId === commandId);
    const known = mark?.revision ?? this.refused.get(keyOf(stream, commandId));
    if (known !== undefined || !repetition) return known;
    const { after, repeated } = repetition;
    return (await repeated.commandsIn({ stream, entry }, after, this.log)).get(commandId);
  }
}

function keyOf(stream: string, commandId: string): string {
  return `${commandId} ${stream}`;
}
