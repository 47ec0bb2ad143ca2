import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { NoParameters, OnlyParameters } from '../../http/parameters/parameters.decorator.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { Readers } from '../../reader-threads/readers.js';
import { AuditAccess } from '../commands/audit-access.js';
import type { AuditedAccess } from '../commands/audit-access.decide.js';
import { CheckProofBundle, GetSeals } from '../queries/seals.js';
import { wholeLog } from '../log/requested-selection.js';
import {
  bundleReply,
  checkedBundleReply,
  currentProofReply,
  proofObject,
  proofReply,
  sealsReply,
} from './proofs.replies.js';
import type { ProofSubject, ProofTask } from './proof-task.js';
import { ProofTasks } from './proof-tasks.js';
import { BeginProofParameters, CheckProofParameters, SealsParameters } from './proofs.parameters.js';
import { SeparateRateLimit } from '../../http/limits/rate-limit.guard.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** Seals, verifications and proofs, for auditors: from the code of `palimpsest audit verify`, `seal` and `check`. */
@ApiTags('audit')
@Controller('audit')
export class ProofsController {
  constructor(
    private readonly access: AuditAccess,
    private readonly readers: Readers,
    private readonly tasks: ProofTasks,
  ) {}

  /**
   * Lists the seals of the log, newest first, in pages: how many events each of them covers, the root of their Merkle
   * tree, and the key that signed it, which is null if there is no valid signature. For auditors.
   */
  @Reply(sealsReply)
  @Get('seals')
  async seals(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(SealsParameters) { before, limit = 100 }: SealsParameters,
  ): Promise<Answer> {
    await this.access.record(caller, {
      view: 'seals',
      selection: wholeLog,
      ...(before !== undefined && { asked: { before } }),
    });
    return this.readers.answer(new GetSeals(caller, { before: before ?? null, limit }));
  }

  /**
   * Starts to verify the whole log, or to make a proof bundle, in the background. There is one such task at a time on
   * the server. `GET /audit/proofs` tells its progress. For auditors.
   */
  @Reply(proofReply)
  @Post('proofs')
  async begin(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(BeginProofParameters) parameters: BeginProofParameters,
  ): Promise<SuccessFields> {
    this.access.auditor(caller);
    const task = taskIn(parameters);
    const begun = await this.tasks.begin(task, caller.userId, () =>
      this.access.record(caller, accessOf(task)),
    );
    return { proof: proofObject(begun) };
  }

  /**
   * Tells the progress and the result of the latest verification or proof bundle; null: none was started since the
   * server started. This request is not recorded as an access to the log. For auditors.
   */
  @Reply(currentProofReply)
  @SeparateRateLimit('status')
  @Get('proofs')
  read(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): SuccessFields {
    this.access.auditor(caller);
    const { current } = this.tasks;
    return { proof: current === null ? null : proofObject(current) };
  }

  /** Cancels the running verification or proof bundle. For auditors. */
  @Reply()
  @Delete('proofs')
  async cancel(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<void> {
    this.access.auditor(caller);
    await this.tasks.cancel();
  }

  /**
   * Reads the proof bundle that was made last, in the format of `palimpsest audit seal` (docs/proofs.md). For
   * auditors.
   */
  @Reply(bundleReply)
  @Get('proofs/bundle')
  async bundle(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    this.access.auditor(caller);
    const { task, result } = this.tasks.current ?? {};
    if (task?.kind !== 'bundle' || result?.kind !== 'bundle') throw failure('noProof');
    await this.access.record(caller, { ...accessOf(task), view: 'proof-download' });
    return { bundle: result.bundle };
  }

  /**
   * Checks a proof bundle without the log: its signature, the hashes and inclusion proofs of its events, and, with
   * `earlier`, that its log continues an earlier one. Anybody can sign a log of their own, so a bundle proves
   * something only if the `signer` is known in advance. For auditors.
   */
  @Reply(checkedBundleReply)
  @Post('proofs/check')
  async check(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(CheckProofParameters) { bundle, earlier, signer }: CheckProofParameters,
  ): Promise<Answer> {
    this.access.auditor(caller);
    const toCheck = {
      bundle: bounded(bundle),
      earlier: earlier === undefined ? null : bounded(earlier),
      signer: signer ?? null,
    };
    return this.readers.answer(new CheckProofBundle(caller, toCheck));
  }
}

/** What is recorded when a task begins. */
function accessOf(task: ProofTask): AuditedAccess {
  if (task.kind === 'verification') return { view: 'verification', selection: wholeLog };
  const { subject } = task;
  if (subject === null) return { view: 'tree-head', selection: wholeLog };
  return subject.kind === 'message'
    ? { view: 'proof-bundle', selection: { ...wholeLog, messageId: subject.id } }
    : { view: 'proof-bundle', selection: wholeLog, asked: { eventId: subject.id } };
}

/** @throws ApplicationError for parameters that do not belong to that kind of task; `proofBundleTooLong` */
function taskIn(parameters: BeginProofParameters): ProofTask {
  const { kind, kept, message_id, event_id, earlier } = parameters;
  const others = kind === 'verification' ? { message_id, event_id, earlier } : { kept };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined) throw failure('unknownParameter', { reason: name });
  return kind === 'verification'
    ? { kind, kept: kept === undefined ? null : bounded(kept) }
    : { kind, subject: subjectIn(parameters), earlier: earlier === undefined ? null : bounded(earlier) };
}

/** @throws ApplicationError `confusingParameter` for a message and an event */
function subjectIn({ message_id: messageId, event_id: eventId }: BeginProofParameters): ProofSubject | null {
  if (messageId !== undefined && eventId !== undefined)
    throw failure('confusingParameter', { var_name1: 'message_id', var_name2: 'event_id' });
  if (messageId !== undefined) return { kind: 'message', id: messageId };
  return eventId === undefined ? null : { kind: 'event', id: eventId };
}

/** @throws ApplicationError `proofBundleTooLong` */
function bounded(text: string): string {
  const { max } = budgets.proofBundle;
  if (text.length > max) throw failure('proofBundleTooLong', { reason: max });
  return text;
}
