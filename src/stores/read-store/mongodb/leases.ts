import type { Db, MongoClient } from 'mongodb';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { inTime } from '../../mongodb/connect.js';
import type { Lease } from '../port.js';
import { SequencedRecords, type SequencedRecord } from './sequenced-records.js';

interface LeaseRecord {
  readonly holder: string;
  /** By the server's clock, milliseconds since the UNIX epoch; 0: it was released. */
  readonly expiresAt: number;
}

interface LeaseRequest {
  readonly name: string;
  readonly owner: string;
  readonly milliseconds: number;
}

/** A free lease, with the number of its last record. */
interface FreeLease {
  readonly request: LeaseRequest;
  readonly after: number;
}

/** A lease that the requesting process owns. */
interface OwnLease {
  readonly request: LeaseRequest;
  readonly latest: SequencedRecord<LeaseRecord>;
}

type AnsweredRequest = readonly [LeaseRequest, Lease | null];

/** The server's time, as precisely as the network allows. */
interface ServerClock {
  /** A time that the server's clock has reached. */
  earliest(): number;
  /** A time that the server's clock has not passed. */
  latest(): number;
}

/**
 * Leases by the server's clock. After a failover it is another member's clock. The members' clocks are assumed to differ by much less than
 * the duration of a lease; fencing tokens protect against an owner with a wrong time.
 */
export class Leases {
  private readonly records: SequencedRecords<LeaseRecord>;
  /** A process renews its leases at about the same time, so requests are batched. */
  private readonly requests = new BatchedCalls((requests: readonly LeaseRequest[]) =>
    inTime(this.client, () => this.acquireAll(requests)),
  );

  constructor(
    private readonly client: MongoClient,
    private readonly database: Db,
  ) {
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
    await inTime(this.client, async () => {
      const latest = await this.records.latest(name);
      if (latest?.holder === owner) await this.records.amend(latest, { expiresAt: 0 });
    });
  }

  private async acquireAll(requests: readonly LeaseRequest[]): Promise<readonly (Lease | null)[]> {
    const clock = await this.clock();
    const records = await this.records.latestOf(requests.map(({ name }) => name));
    const now = clock.earliest();
    const [free, own]: [FreeLease[], OwnLease[]] = [[], []];
    for (const request of requests) {
      const latest = records.get(request.name) ?? null;
      if (latest === null || latest.expiresAt <= now) free.push({ request, after: latest?.sequence ?? 0 });
      else if (latest.holder === request.owner) own.push({ request, latest });
    }
    const answered = await Promise.all([this.renew(own, clock), this.take(free, clock)]);
    const leases = new Map(answered.flat());
    return requests.map((request) => leases.get(request) ?? null);
  }

  private take(free: readonly FreeLease[], clock: ServerClock): Promise<readonly AnsweredRequest[]> {
    return Promise.all(
      free.map(async ({ request, after }): Promise<AnsweredRequest> => {
        const { name, owner, milliseconds } = request;
        const expiresAt = clock.earliest() + milliseconds;
        const isTaken = await this.records.append(name, after, { holder: owner, expiresAt });
        return [request, isTaken ? { token: after + 1 } : null];
      }),
    );
  }

  /** Uses one command, however many leases there are. */
  private async renew(own: readonly OwnLease[], clock: ServerClock): Promise<readonly AnsweredRequest[]> {
    const stands = await this.records.amendAll(
      own.map(({ request: { milliseconds }, latest }) => ({
        record: latest,
        value: { expiresAt: clock.earliest() + milliseconds },
      })),
    );
    return own.map(({ request, latest }, index): AnsweredRequest => {
      // A late renewal may have crossed another process's takeover.
      const isInTime = stands[index] === true && clock.latest() < latest.expiresAt;
      return [request, isInTime ? { token: latest.sequence } : null];
    });
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
