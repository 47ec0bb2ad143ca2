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

/** A lease that nobody has, with the number that the next record of it comes after. */
interface FreeLease {
  readonly request: LeaseRequest;
  readonly after: number;
}

/** A lease that whoever asks for it has. */
interface OwnLease {
  readonly request: LeaseRequest;
  readonly latest: SequencedRecord<LeaseRecord>;
}

type AnsweredRequest = readonly [LeaseRequest, Lease | null];

/** The server's time, known as well as the way to it allows. */
interface ServerClock {
  /** Not later than the server's time. */
  earliest(): number;
  /** Not earlier than the server's time. */
  latest(): number;
}

/**
 * Leases by the server's clock. After a failover it is another member's: members' clocks are taken to differ by much less than
 * a lease lasts, and fencing tokens keep out an owner that this deceives.
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

  /** In one command, however many there are. */
  private async renew(own: readonly OwnLease[], clock: ServerClock): Promise<readonly AnsweredRequest[]> {
    const stands = await this.records.amendAll(
      own.map(({ request: { milliseconds }, latest }) => ({
        record: latest,
        value: { expiresAt: clock.earliest() + milliseconds },
      })),
    );
    return own.map(({ request, latest }, index): AnsweredRequest => {
      // A renewal that came after the end may have crossed another's taking over.
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
