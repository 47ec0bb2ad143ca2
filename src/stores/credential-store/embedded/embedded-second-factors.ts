import type Database from 'libsql';
import { inTransaction, type SecretDatabase } from '../../sqlite/secret-database.js';
import type { EnabledSecondFactor, SecondFactorStore, StoredSecondFactor } from '../port.js';

/** The tables of second factors. */
export const SECOND_FACTOR_SCHEMA = `
  CREATE TABLE IF NOT EXISTS second_factors (
    user_id INTEGER PRIMARY KEY,
    sealed BLOB NOT NULL,
    is_enabled INTEGER NOT NULL,
    last_step INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS recovery_codes (
    user_id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
  ) WITHOUT ROWID, STRICT;`;

type Row = [sealed: Uint8Array, isEnabled: number, lastStep: number, recoveryCodes: number];

/** Runs a task on the file, and converts its errors to those of the port. */
type Guarded = <Result>(task: () => Result) => Result;

/** Second factors in the SQLite file of the credential store. */
export class EmbeddedSecondFactors implements SecondFactorStore {
  private readonly select: Database.Statement;
  private readonly upsert: Database.Statement;
  private readonly update: Database.Statement;
  private readonly updateStep: Database.Statement;
  private readonly insertCode: Database.Statement;
  private readonly deleteCode: Database.Statement;
  private readonly deleteCodes: Database.Statement;
  private readonly delete: Database.Statement;

  constructor(
    private readonly database: SecretDatabase,
    private readonly guarded: Guarded,
  ) {
    const codes = 'SELECT count(*) FROM recovery_codes WHERE recovery_codes.user_id = second_factors.user_id';
    this.select = database
      .prepare(`SELECT sealed, is_enabled, last_step, (${codes}) FROM second_factors WHERE user_id = ?`)
      .raw();
    this.upsert = database.prepare(
      'INSERT INTO second_factors VALUES (?, ?, 0, -1) ON CONFLICT DO UPDATE SET sealed = excluded.sealed WHERE is_enabled = 0',
    );
    this.update = database.prepare(
      'UPDATE second_factors SET is_enabled = 1, last_step = ? WHERE user_id = ? AND is_enabled = 0 AND sealed = ?',
    );
    this.updateStep = database.prepare(
      'UPDATE second_factors SET last_step = ?1 WHERE user_id = ?2 AND is_enabled = 1 AND last_step < ?1',
    );
    this.insertCode = database.prepare('INSERT INTO recovery_codes VALUES (?, ?)');
    this.deleteCode = database.prepare('DELETE FROM recovery_codes WHERE user_id = ? AND digest = ?');
    this.deleteCodes = database.prepare('DELETE FROM recovery_codes WHERE user_id = ?');
    this.delete = database.prepare('DELETE FROM second_factors WHERE user_id = ?');
  }

  async find(userId: number): Promise<StoredSecondFactor | null> {
    const row = this.guarded(() => this.select.get([userId]) as Row | undefined);
    if (row === undefined) return null;
    const [sealed, isEnabled, lastStep, recoveryCodes] = row;
    return { sealed, isEnabled: isEnabled === 1, lastStep, recoveryCodes };
  }

  async begin(userId: number, sealed: Uint8Array): Promise<boolean> {
    return this.guarded(() => this.upsert.run([userId, sealed]).changes === 1);
  }

  async enable(userId: number, { sealed, lastStep, recoveryDigests }: EnabledSecondFactor): Promise<boolean> {
    return this.guarded(() =>
      inTransaction(this.database, () => {
        if (this.update.run([lastStep, userId, sealed]).changes === 0) return false;
        for (const digest of recoveryDigests) this.insertCode.run([userId, digest]);
        return true;
      }),
    );
  }

  async takeStep(userId: number, step: number): Promise<boolean> {
    return this.guarded(() => this.updateStep.run([step, userId]).changes === 1);
  }

  async takeRecoveryCode(userId: number, digest: string): Promise<boolean> {
    return this.guarded(() => this.deleteCode.run([userId, digest]).changes === 1);
  }

  async remove(userId: number): Promise<void> {
    this.guarded(() =>
      inTransaction(this.database, () => {
        this.deleteCodes.run([userId]);
        this.delete.run([userId]);
      }),
    );
  }
}
