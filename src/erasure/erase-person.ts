import { ModelBehindError, type Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { User } from '../access/records/user.js';
import { erasures, unreadErasures } from '../audit/cases/erasures.state.js';
import { foldedUsers } from '../contexts/users/users.state.js';
import type { LegalHolds } from '../audit/cases/legal-holds.js';
import { PersonErasureRequested } from '../events/erasure.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import type { EventOf, Recorded } from '../kernel/event.js';
import { on } from '../kernel/event-handlers.js';
import { sortedIds } from '../kernel/ids.js';
import { OperationRefusedError } from '../operations/dead-letters.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { randomCommandId } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { ownerKeyId } from '../stores/key-store/owner-keys.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { DeferredRecords } from './deferred-records.js';
import type { Eraser } from './eraser.js';
import { decideRequestErasure } from '../audit/cases/erasures.decide.js';
import type { PersonTraces } from './person-traces.js';

/** What decides whether a person may be erased. */
interface PersonHolds {
  readonly people: Pick<PersonTraces, 'goesWith'>;
  readonly legalHolds: Pick<LegalHolds, 'casesOfPerson'>;
  readonly deferred: Pick<DeferredRecords, 'casesOfPerson'>;
}

/** What {@link ErasePeople} needs. */
interface ErasePeopleOptions extends PersonHolds {
  readonly eraser: Pick<Eraser, 'erasePerson' | 'isErased' | 'refusePerson'>;
  readonly streams: Pick<FoldedStreams, 'load'>;
  /** Waits until it is decided of everything that was discarded up to a position whether a hold keeps it; false: not in time. */
  readonly areRecordsDecided: (position: number) => Promise<boolean>;
}

/** Erases people, in the process that has the read models. An interrupted erasure is repeated from the beginning. */
export class ErasePeople implements Reactor {
  readonly name = 'erase-people';
  readonly on = on(PersonErasureRequested, (event) => this.erase(event));

  constructor(private readonly options: ErasePeopleOptions) {}

  /**
   * A hold placed after the request does not stop the erasure: the order in the log decides. A person who was reactivated
   * since the request is not erased.
   */
  private async erase(event: Recorded<typeof PersonErasureRequested>): Promise<void> {
    const { eraser, streams, areRecordsDecided } = this.options;
    const { userId } = event.data;
    if (!(await areRecordsDecided(event.position))) throw new ModelBehindError('What holds keep');
    const caseIds = await casesKeeping(this.options, userId, event.position);
    if (!(await eraser.isErased(userId))) {
      if (caseIds.length > 0) return eraser.refusePerson(userId, caseIds, event);
      const { state } = await streams.load(foldedUsers);
      if (state.users.get(userId)?.isActive === true) return;
    }
    await eraser.erasePerson(userId, event);
  }
}

/** What {@link ErasePerson} needs. */
interface ErasePersonOptions extends PersonHolds {
  readonly follower: DirectoryFollower;
  readonly vault: Pick<Vault, 'areDestroyed' | 'emailDigest'>;
  readonly decisions: Pick<Decisions, 'record' | 'load'>;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Waits until the erasure requested at a position is finished, in this process or another one. */
  readonly isDone: (position: number) => Promise<boolean>;
}

/** Erases a person on behalf of an operator, and waits until it is done. */
export class ErasePerson {
  constructor(private readonly options: ErasePersonOptions) {}

  /**
   * @param named an id or an e-mail address
   * @param operator the operating system account of the operator
   * @returns the text for the operator
   * @throws OperationRefusedError when there is no such account, when it is active, or when a legal hold covers what would be erased
   */
  async execute(named: string, operator: string): Promise<string> {
    const user = this.find(named);
    if (user === null) throw new OperationRefusedError(`Nobody has the id or the e-mail address "${named}".`);
    if (user.isActive) throw new OperationRefusedError('The account is active: deactivate it first.');
    await this.refuseHeld(user.id);
    const position = await this.request({ userId: user.id, operator });
    if (!(await this.options.isDone(position)))
      return `User ${user.id} is being erased: the read models are still rebuilt. It goes on by itself, also after a restart.`;
    const { refused } = await this.options.decisions.load(erasures);
    const caseIds = refused.get(user.id);
    if (caseIds !== undefined) throw heldError(caseIds);
    if (!(await this.options.vault.areDestroyed([ownerKeyId(user.id)])))
      throw new OperationRefusedError('The account was reactivated meanwhile: deactivate it first.');
    return `User ${user.id} is erased: who it was and what it wrote can never be read again, but for backups and exports.`;
  }

  private async refuseHeld(userId: number): Promise<void> {
    const position = (await this.options.log.store.head()) ?? 0;
    const caseIds = await casesKeeping(this.options, userId, position);
    if (caseIds.length > 0) throw heldError(caseIds);
  }

  private find(named: string): User | null {
    const directory = this.options.follower.current();
    return /^\d+$/.test(named)
      ? directory.user(Number(named))
      : directory.findByEmailDigest(this.options.vault.emailDigest(named));
  }

  private async request(data: EventOf<typeof PersonErasureRequested>['data']): Promise<number> {
    const { decisions, clock } = this.options;
    const metadata = serverMetadata(randomCommandId(), clock.now());
    const events = await decisions.record(metadata, unreadErasures, () => decideRequestErasure(data));
    return events[0]!.position;
  }
}

/**
 * Ids of the cases whose holds keep, at a position of the log, what would be erased with a person, ascending. A discarded record that a
 * hold keeps counts too: the person's key wraps the key of the record.
 */
async function casesKeeping(
  { people, legalHolds, deferred }: PersonHolds,
  userId: number,
  position: number,
): Promise<readonly number[]> {
  const ofMessages = await legalHolds.casesOfPerson(userId, { position }, await people.goesWith(userId));
  const ofRecords = await deferred.casesOfPerson(userId, position);
  return sortedIds([...ofMessages, ...ofRecords]);
}

function heldError(caseIds: readonly number[]): OperationRefusedError {
  const one = caseIds.length === 1;
  const name = one ? `hold on case ${caseIds.join('')} keeps` : `holds on cases ${caseIds.join(', ')} keep`;
  return new OperationRefusedError(
    `A legal ${name} what this person wrote, or what shows it: an auditor has to lift ${one ? 'it' : 'them'} first.`,
  );
}
