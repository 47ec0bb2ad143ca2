import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/documentation.decorators.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { EventLog } from '../stores/event-store/event-log.js';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import type { Caller } from '../http/caller.js';
import { clientGone } from '../http/client-gone.js';
import type { Answer, SuccessFields } from '../http/envelope.js';
import { OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { Readers } from '../reader-threads/readers.js';
import { Vault } from '../stores/key-store/vault.js';
import { failure } from '../kernel/errors.js';
import { AuditAccess } from './commands/note-audit.js';
import { NoParameters } from './dto/no-parameters.js';
import { ReadHistoryParameters } from './dto/read-history.parameters.js';
import { ReadLogParameters } from './dto/read-log.parameters.js';
import { ReadModels } from './read-models.js';
import { PastLooks } from './past/past-looks.js';
import { personNamed, requestedSelection, wholeLog, type NameLookup } from './requested-selection.js';
import { GetLogPage } from './queries/get-log-page.js';
import { GetMessageLife } from './queries/get-message-life.js';

/** The log for auditors, read-only. Every access to it is itself an event. */
@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(
    private readonly log: EventLog,
    private readonly access: AuditAccess,
    private readonly models: ReadModels,
    private readonly follower: DirectoryFollower,
    private readonly vault: Vault,
    private readonly looks: PastLooks,
    private readonly readers: Readers,
  ) {}

  /**
   * Reads a page of the log, in log order: each event as it was written, and in a `sentence`. For auditors. A page may hold fewer events than
   * asked for: `found_newest` says whether the log ends with it, and `position` where the next one goes on.
   */
  @Get('log')
  async readLog(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ReadLogParameters) parameters: ReadLogParameters,
  ): Promise<Answer> {
    const { limit = 100 } = parameters;
    this.access.auditor(caller);
    const { selection, recorded } = requestedSelection(parameters, this.lookup());
    await this.access.note(caller, { view: 'log', selection: recorded });
    return this.readers.answer(new GetLogPage(caller, selection, Math.min(1000, Math.max(1, limit))));
  }

  /**
   * Reads the whole life of a message, also after it was deleted: each step as what changed, and in a `sentence`. For auditors. Whether a move by somebody who saw a part of a
   * channel took a message along that had come from elsewhere, only `palimpsest audit history` tells for certain, and `as`. With `as`,
   * `views` says what that person could see of the message, from which event on; for that the past is built anew, which may take
   * a while: for one request of a person at a time, and for a minute at most.
   */
  @Get('messages/:message_id/history')
  async readHistory(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @OnlyParameters(ReadHistoryParameters) { as: viewer }: ReadHistoryParameters,
  ): Promise<Answer> {
    if (viewer !== undefined) return this.readViews(caller, messageId, viewer);
    await this.access.note(caller, { view: 'history', selection: { ...wholeLog, messageId } });
    return this.readers.answer(new GetMessageLife(caller, messageId));
  }

  /** Tells how every read model is doing, and which events they stand before. Owners only. */
  @Get('projections')
  async readModels(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    this.access.owner(caller);
    const head = await this.log.store.head();
    return { head, projections: await this.models.status(), dead_letters: await this.models.deadLetters() };
  }

  private async readViews(caller: Caller, messageId: number, viewer: string): Promise<SuccessFields> {
    this.access.auditor(caller);
    const userId = personNamed(viewer, this.lookup());
    const selection = { ...wholeLog, messageId, viewerId: userId };
    const looker = { userId: caller.userId, gone: clientGone(caller) };
    const found = await this.looks.run(looker, { messageId, userId }, () =>
      this.access.note(caller, { view: 'history', selection }),
    );
    if (found === null) throw failure('invalidMessage');
    const { messageId: message_id, senderId: sender_id, steps } = found.life;
    return { message_id, sender_id, steps, viewer_id: userId, views: found.views };
  }

  private lookup(): NameLookup {
    return {
      directory: this.follower.current(),
      emailDigest: (email) => this.vault.emailDigest(email),
    };
  }
}
