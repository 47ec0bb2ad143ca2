import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { durable, isDuplicateKey, retryOnDuplicateKey } from '../../mongodb/connect.js';
import type { EnabledSecondFactor, SecondFactorStore, StoredSecondFactor } from '../port.js';

/** A secret that has not been confirmed yet. */
interface BegunDocument {
  readonly _id: number;
  readonly sealed: Buffer;
}

/** A second factor that is enabled. */
interface EnabledDocument {
  readonly _id: number;
  readonly sealed: Buffer;
  readonly lastStep: number;
  /** Selects its recovery codes and used time steps: those of other generations are ignored. */
  readonly generation: string;
}

/** An unused recovery code, or a used time step. */
interface PartDocument {
  /** The account, the generation, and the code's digest or the time step. */
  readonly _id: string;
  readonly userId: number;
  readonly generation: string;
  /** Null: it is a recovery code. */
  readonly step: number | null;
}

/** Runs a request, and converts its errors to those of the port. */
type Guarded = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Second factors in MongoDB. Where only one of several concurrent calls may succeed, it depends on creating or removing one document: all
 * servers that speak the protocol do that atomically, even those that do not for conditional updates.
 */
export class MongoSecondFactors implements SecondFactorStore {
  private readonly begun: Collection<BegunDocument>;
  private readonly enabled: Collection<EnabledDocument>;
  private readonly parts: Collection<PartDocument>;

  constructor(
    database: Db,
    private readonly guarded: Guarded,
  ) {
    this.begun = database.collection<BegunDocument>('begun_second_factors', durable);
    this.enabled = database.collection<EnabledDocument>('second_factors', durable);
    this.parts = database.collection<PartDocument>('second_factor_parts', durable);
  }

  /** Creates the index if it is missing. */
  async prepare(): Promise<void> {
    await this.guarded(() => this.parts.createIndex({ userId: 1, generation: 1 }));
  }

  find(userId: number): Promise<StoredSecondFactor | null> {
    return this.guarded(async () => {
      const enabled = await this.enabled.findOne({ _id: userId });
      if (enabled === null) {
        const begun = await this.begun.findOne({ _id: userId });
        return begun && { sealed: begun.sealed, isEnabled: false, lastStep: -1, recoveryCodes: 0 };
      }
      const { sealed, lastStep, generation } = enabled;
      const recoveryCodes = await this.parts.countDocuments({ userId, generation, step: null });
      return { sealed, isEnabled: true, lastStep, recoveryCodes };
    });
  }

  begin(userId: number, sealed: Uint8Array): Promise<boolean> {
    return this.guarded(async () => {
      if ((await this.enabled.findOne({ _id: userId })) !== null) return false;
      const document = { sealed: Buffer.from(sealed) };
      await retryOnDuplicateKey(() => this.begun.replaceOne({ _id: userId }, document, { upsert: true }));
      return true;
    });
  }

  enable(userId: number, { sealed, lastStep, recoveryDigests }: EnabledSecondFactor): Promise<boolean> {
    return this.guarded(async () => {
      const { deletedCount } = await this.begun.deleteOne({ _id: userId, sealed: Buffer.from(sealed) });
      if (deletedCount === 0) return false;
      const generation = randomUUID();
      const codes = recoveryDigests.map((digest) => partOf({ userId, generation, step: null }, digest));
      if (codes.length > 0) await this.parts.insertMany(codes);
      return made(this.enabled.insertOne({ _id: userId, sealed: Buffer.from(sealed), lastStep, generation }));
    });
  }

  takeStep(userId: number, step: number): Promise<boolean> {
    return this.guarded(async () => {
      const enabled = await this.enabled.findOne({ _id: userId });
      if (enabled === null || step <= enabled.lastStep) return false;
      const { generation } = enabled;
      const isTaken = await made(this.parts.insertOne(partOf({ userId, generation, step }, String(step))));
      if (!isTaken) return false;
      await this.enabled.updateOne({ _id: userId, generation }, { $max: { lastStep: step } });
      // From now on, the last step alone rules out earlier ones.
      await this.parts.deleteMany({ userId, generation, step: { $lt: step } });
      return true;
    });
  }

  takeRecoveryCode(userId: number, digest: string): Promise<boolean> {
    return this.guarded(async () => {
      const enabled = await this.enabled.findOne({ _id: userId });
      if (enabled === null) return false;
      const { _id } = partOf({ userId, generation: enabled.generation, step: null }, digest);
      return (await this.parts.deleteOne({ _id })).deletedCount === 1;
    });
  }

  async remove(userId: number): Promise<void> {
    await this.guarded(async () => {
      await this.enabled.deleteOne({ _id: userId });
      await this.begun.deleteOne({ _id: userId });
      await this.parts.deleteMany({ userId });
    });
  }
}

function partOf(part: Omit<PartDocument, '_id'>, name: string): PartDocument {
  const kind = part.step === null ? 'code' : 'step';
  return { _id: [part.userId, part.generation, kind, name].join(':'), ...part };
}

/** False: a document with that id already exists. */
async function made(insertion: Promise<unknown>): Promise<boolean> {
  try {
    await insertion;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
