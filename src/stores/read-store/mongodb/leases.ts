import type { Db } from 'mongodb';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import type { Lease } from '../port.js';
import { SequencedRecords, type SequencedRecord } from './sequenced-records.js';

interface LeaseRecord {
  readonly holder: string;
  /** By the server's clock, milliseconds since the UNIX epoch; 0 once it was given back. */
  readonly expiresAt: number;
}

interface LeaseRequest {
  readonly name: string;
  readonly owner: string;
  readonly milliseconds: number;
}

/** The server's time, known as well as the way to it allows. */
interface ServerClock {
  /** Not later than the server's time. */
  earliest(): number;
  /** Not earlier than the server's time. */
  latest(): number;
}

/**
 * Leases by the server's clock. After a failover it is another member's: members' clocks are taken to differ by much less than
 * a lease lasts, and fencing tokens keep out a holder that this deceives.
 */
export class Leases {
  private readonly records: SequencedRecords<LeaseRecord>;
  /** A process renews its leases at about the same time: what can be asked for all of them is asked once. */
  private readonly requests = new BatchedCalls((requests: readonly LeaseRequest[]) =>
    this.acquireAll(requests),
  );

  constructor(private readonly database: Db) {
    this.records = new SequencedRecords(database, '_leases');
  }

  prepare(): Promise<void> {
    return this.records.prepare();
  }

  async acquire(name: string, owner: string, milliseconds: number): Promise<Lease | null> {
    const [lease] = await this.requests.call([{ name, owner, milliseconds }]);
    return lease ?? null;
  }

  async release(name: string, owner: string): Promise<void> {
    const latest = await this.records.latest(name);
    if (latest?.holder === owner) await this.records.amend(latest, { expiresAt: 0 });
  }

  private async acquireAll(requests: readonly LeaseRequest[]): Promise<readonly (Lease | null)[]> {
    const clock = await this.clock();
    const records = await this.records.latestOf(requests.map(({ name }) => name));
    return Promise.all(
      requests.map((request) => this.acquireAfter(records.get(request.name) ?? null, request, clock)),
    );
  }

  private async acquireAfter(
    latest: SequencedRecord<LeaseRecord> | null,
    { name, owner, milliseconds }: LeaseRequest,
    clock: ServerClock,
  ): Promise<Lease | null> {
    const expiresAt = clock.earliest() + milliseconds;
    if (latest === null || latest.expiresAt <= clock.earliest()) {
      const after = latest?.sequence ?? 0;
      return (await this.records.append(name, after, { holder: owner, expiresAt }))
        ? { token: after + 1 }
        : null;
    }
    if (latest.holder !== owner || !(await this.records.amend(latest, { expiresAt }))) return null;
    // A renewal that came after the end may have crossed another's taking over.
    return clock.latest() < latest.expiresAt ? { token: latest.sequence } : null;
  }

  private async clock(): Promise<ServerClock> {
    const sent = performance.now();
    const { localTime } = await this.database.command({ hello: 1 });
    const answered = performance.now();
    const time = (localTime as Date).getTime();
    return {
      earliest: () => time + performance.now() - answered,
      latest: () => time + performance.now() - sent,
    };
  }
}
