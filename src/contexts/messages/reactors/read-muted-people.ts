import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { PersonMuted } from '../../../events/attention.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { FlagDecisions } from '../flags/flag-decisions.js';
import { everything } from '../narrow/sources.js';
import type { Term } from '../narrow/terms.js';

/** How many messages one event marks as read: as many as client events name individually. */
const maxMessages = 50_000;

/** Marks a person's unread messages from somebody as read when they mute them. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ReadMutedPeople implements Reactor {
  readonly name = 'read-muted-people';
  readonly on = on(PersonMuted, (event) => this.read(event));

  constructor(
    private readonly flags: FlagDecisions,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Messages that are read already are skipped, so repeating this has no effect. */
  private async read({
    id,
    data: { userId, mutedUserId },
    metadata: { client },
  }: Recorded<typeof PersonMuted>): Promise<void> {
    if (this.follower.current().user(userId)?.isActive !== true) return;
    const caller = { userId, client, requestId: id };
    const session = await this.flags.open(caller);
    const terms: readonly Term[] = [
      { operator: 'is', operand: 'unread', negated: false },
      { operator: 'sender', operand: mutedUserId, negated: false },
    ];
    const narrow = await session.compile(terms);
    const messages = await session.search.findPlaces(narrow, {
      window: everything,
      order: 1,
      limit: maxMessages,
    });
    if (messages.length === 0) return;
    await this.flags.apply(caller, session, { change: { op: 'add', flag: 'read' }, messages });
  }
}
