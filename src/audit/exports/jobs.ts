import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import type { ExportEvent, ExportFault } from '../../events/exports.js';
import { budgets } from '../../kernel/budgets.js';
import { ApplicationError } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { withQueryTimeout } from '../../runtime/with-timeout.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { ExportFiles } from './export-files.js';
import type { RunExport } from './contents/format.js';
import {
  decideCompleteExport,
  decideExpireExport,
  decideFailExport,
  decideStartExport,
} from './exports.decide.js';
import { expiredExports, foldedExports, nextPending, type Export, type Exports } from './exports.state.js';

/** How to make exports. */
export class ExportMaking {
  constructor(
    readonly run: RunExport,
    /** Timeout of an attempt in milliseconds. An export whose attempt exceeds it fails. */
    readonly timeout = budgets.exportMinutes.max * 60_000,
  ) {}
}

/**
 * Job that makes the requested exports, one at a time, and removes expired ones. An interrupted attempt has no effect:
 * the file of an export is the one that the event of its completion names.
 */
@Injectable()
@RunsAsJob()
export class MakeExports implements Job, OnModuleDestroy {
  readonly name = 'make-exports';
  readonly everyMilliseconds = 500;
  readonly perform = (): Promise<void> => this.startNext();

  private underWay: Promise<void> | null = null;
  private isSwept = false;
  private readonly ending = new AbortController();
  private readonly faults: Error[] = [];

  constructor(
    private readonly making: ExportMaking,
    private readonly files: ExportFiles,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /** Aborts the export in progress; another process begins it again. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.underWay;
  }

  /** Starts the next export without waiting for it: a later run reports its errors. */
  private async startNext(): Promise<void> {
    // What a killed process left there is not encrypted.
    if (!this.isSwept) await this.files.empty();
    this.isSwept = true;
    const state = await this.decisions.load(foldedExports);
    const now = this.clock.now();
    for (const { id } of expiredExports(state, now))
      await this.record((exports) => decideExpireExport(exports, id), null);
    const next = nextPending(state, now);
    if (next !== null && this.underWay === null && !this.ending.signal.aborted) this.start(next);
    const [fault] = this.faults.splice(0);
    if (fault !== undefined) throw fault;
  }

  private start(next: Export): void {
    this.underWay = this.attempt(next)
      .catch((error: unknown) => {
        this.faults.push(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => (this.underWay = null));
  }

  private async attempt(one: Export): Promise<void> {
    const storageName = this.files.nameOf(randomBytes(16).toString('hex'));
    if (one.storageName !== null) await this.files.discard(one.storageName);
    const attempt = { exportId: one.id, storageName };
    const begun = await this.record((exports) => decideStartExport(exports, attempt), one.requestId);
    if (begun?.type !== 'ExportStarted') return;
    try {
      await this.make(one, storageName);
    } catch (error) {
      await this.files.empty();
      await this.files.discard(storageName);
      const fault = error instanceof ApplicationError ? faultOf(error) : null;
      if (fault !== null)
        await this.record((exports) => decideFailExport(exports, attempt, fault), one.requestId);
      // Another process, or the next run, tries again.
      else if (!this.ending.signal.aborted) throw error;
    }
  }

  private async make({ id, type, position, requestId }: Export, storageName: string): Promise<void> {
    const file = await this.files.emptyPlace();
    const ending = { stopped: this.ending.signal, timeout: this.making.timeout };
    const made = await withQueryTimeout(ending, async (signal) => {
      const result = await this.making.run({ type, file, position }, { signal });
      signal.throwIfAborted();
      return result;
    });
    const stored = await this.files.keep(storageName, file);
    await this.files.empty();
    const completed = await this.record(
      (exports) => decideCompleteExport(exports, id, { made, file: stored }),
      requestId,
    );
    if (completed === null) await this.files.destroy(stored);
  }

  /** Appends the events of a decider. Returns the event; null: there was nothing to record. */
  private async record(
    decide: (exports: Exports) => readonly ExportEvent[],
    causationId: string | null,
  ): Promise<ExportEvent | null> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now(), causationId);
    const events = await this.decisions.record(metadata, foldedExports, decide);
    return events[0] ?? null;
  }
}

/** The fault with which an export fails because of an error; null: it is tried again. */
function faultOf({ row }: ApplicationError): ExportFault | null {
  if (row === 'exportTooLarge') return 'too large';
  return row === 'queryTimeout' ? 'took too long' : null;
}
