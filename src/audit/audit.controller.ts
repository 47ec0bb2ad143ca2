import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/documentation.decorators.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import { EventLog } from '../stores/event-store/event-log.js';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import type { Answer, SuccessFields } from '../http/envelope.js';
import { NoParameters, OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier, PathName } from '../http/parameters/path-parameters.js';
import { Readers } from '../reader-threads/readers.js';
import { Vault } from '../stores/key-store/vault.js';
import { failure } from '../kernel/errors.js';
import { FollowSessions } from './commands/follow-sessions.js';
import { AuditAccess } from './commands/audit-access.js';
import { ReadHistoryParameters, ReadTimelineParameters, ReadLogParameters } from './audit.parameters.js';
import { ReadModels } from './read-models.js';
import {
  personNamed,
  requestedSelection,
  wholeLog,
  type NameLookup,
  type RequestedSelection,
} from './log/requested-selection.js';
import { GetLogPage, type LogExtent } from './queries/get-log-page.js';
import { GetStoredEvent } from './queries/get-stored-event.js';
import { channelTimeline, personTimeline } from './log/timelines.js';
import type { LogSelection } from './log/log-selection.js';
import { GetMessageTimeline } from './queries/get-message-timeline.js';
import { GetMessageViews } from './queries/get-message-views.js';
import { SeparateRateLimit } from '../http/limits/rate-limit.guard.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { logPageReply, messageTimelineReply, messageViewsReply, storedEventReply } from './audit.replies.js';
import { readModelsReply } from '../operations/http/operations.replies.js';

/** A selection of the log that is read as the history of one thing, and how the access to it is recorded. */
interface RecordedTimeline {
  readonly view: 'person' | 'channel';
  readonly selection: LogSelection;
  readonly asked: Readonly<Record<string, number>>;
}

/** The log for auditors, read-only. Every access is recorded as an event. */
@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(
    private readonly log: EventLog,
    private readonly access: AuditAccess,
    private readonly models: ReadModels,
    private readonly follower: DirectoryFollower,
    private readonly vault: Vault,
    private readonly readers: Readers,
    private readonly followSessions: FollowSessions,
  ) {}

  /**
   * Reads a page of the log, in the order of the log or newest first: each event with its data, and described by a
   * `sentence`. For auditors. A page may have fewer events than the limit: `found_newest` or `found_oldest` tells
   * whether the end or the beginning of the log was reached, and `position` is where the next page begins. `newest`
   * is the position to pass as `after` in order to follow new events (`follow`).
   */
  @Reply(logPageReply)
  @Get('log')
  async readLog(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ReadLogParameters) parameters: ReadLogParameters,
  ): Promise<Answer> {
    this.access.auditor(caller);
    const { selection, recorded, asked } = requestedSelection(parameters, this.lookup());
    await this.noteReading(caller, parameters, { recorded, asked });
    return this.readers.answer(new GetLogPage(caller, selection, extentOf(parameters)));
  }

  /**
   * Reads one event of the log: its data with a sentence (`event`), the event as the store holds it (`stored`), its
   * `hash` and its `tag`. For auditors.
   */
  @Reply(storedEventReply)
  @Get('events/:position')
  async readEvent(
    @CurrentCaller() caller: Caller,
    @PathName('position') segment: string,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<Answer> {
    if (!/^\d{1,15}$/.test(segment)) throw failure('noSuchEvent');
    const position = Number(segment);
    await this.access.record(caller, { view: 'event', selection: wholeLog, asked: { position } });
    return this.readers.answer(new GetStoredEvent(caller, position));
  }

  /**
   * Reads the events of an account, oldest or newest first: roles, names, groups, channels, devices, sessions, and
   * API keys issued and revoked. For auditors. The pages have the form of those of the log.
   */
  @Reply(logPageReply)
  @Get('people/:user_id')
  async readPerson(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('user_id') userId: number,
    @OnlyParameters(ReadTimelineParameters) parameters: ReadTimelineParameters,
  ): Promise<Answer> {
    this.access.auditor(caller);
    if (this.follower.current().user(userId) === null) throw failure('noSuchUser');
    return this.readTimeline(caller, parameters, {
      view: 'person',
      selection: personTimeline(userId),
      asked: { userId },
    });
  }

  /**
   * Reads the events of a channel: its names, permissions, privacy and members. For auditors. The pages have the form
   * of those of the log.
   */
  @Reply(logPageReply)
  @Get('channels/:channel_id')
  async readChannel(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('channel_id') channelId: number,
    @OnlyParameters(ReadTimelineParameters) parameters: ReadTimelineParameters,
  ): Promise<Answer> {
    this.access.auditor(caller);
    if (this.follower.current().channel(channelId) === null) throw failure('invalidChannel');
    const selection = channelTimeline(channelId);
    return this.readTimeline(caller, parameters, { view: 'channel', selection, asked: { channelId } });
  }

  /**
   * Reads all events of a message, even if it was deleted: what each of them changed, and a `sentence`. For auditors.
   * With `as`, `views` tells what that account could see of the message, and from which event on.
   */
  @Reply(messageTimelineReply, messageViewsReply)
  @Get('messages/:message_id/history')
  async readHistory(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @OnlyParameters(ReadHistoryParameters) { as: viewer }: ReadHistoryParameters,
  ): Promise<Answer> {
    if (viewer !== undefined) return this.readViews(caller, messageId, viewer);
    await this.access.record(caller, { view: 'history', selection: { ...wholeLog, messageId } });
    return this.readers.answer(new GetMessageTimeline(caller, messageId));
  }

  /** Tells the state of every read model, and the events at which read models are halted. Owners only. */
  @Reply(readModelsReply)
  @SeparateRateLimit('status')
  @Get('projections')
  async readModels(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    this.access.owner(caller);
    const head = await this.log.store.head();
    return { head, projections: await this.models.status(), dead_letters: await this.models.deadLetters() };
  }

  /** Records an access to the log, but not every request of somebody who polls it for new events. */
  private async noteReading(
    caller: Caller,
    { follow = false, after }: ReadLogParameters,
    { recorded, asked }: Pick<RequestedSelection, 'recorded' | 'asked'>,
  ): Promise<void> {
    const all = follow ? { ...asked, follow: 'what comes' } : asked;
    const audit = {
      view: 'log',
      selection: recorded,
      ...(Object.keys(all).length > 0 && { asked: all }),
    } as const;
    if (!follow) return this.access.record(caller, audit);
    if (after === undefined) throw failure('missingParameter', { var_name: 'after' });
    const what = JSON.stringify([{ ...recorded, after: null }, asked]);
    const following = { userId: caller.userId, asked: what, after };
    if (this.followSessions.continues(following)) return;
    try {
      await this.access.record(caller, audit);
    } catch (error) {
      this.followSessions.forget(following);
      throw error;
    }
  }

  private async readTimeline(
    caller: Caller,
    parameters: ReadTimelineParameters,
    { view, selection, asked }: RecordedTimeline,
  ): Promise<Answer> {
    const { before, after, newest_first: isNewestFirst = false } = parameters;
    const log = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    const { selection: range } = requestedSelection({ ...log, newest_first: isNewestFirst }, this.lookup());
    await this.access.record(caller, { view, selection: wholeLog, asked: { ...asked, ...log } });
    return this.readers.answer(new GetLogPage(caller, { ...range, ...selection }, extentOf(parameters)));
  }

  private async readViews(caller: Caller, messageId: number, viewer: string): Promise<Answer> {
    this.access.auditor(caller);
    const userId = personNamed(viewer, this.lookup());
    const selection = { ...wholeLog, messageId, viewerId: userId };
    await this.access.record(caller, { view: 'history', selection });
    return this.readers.answer(new GetMessageViews(caller, messageId, userId));
  }

  private lookup(): NameLookup {
    return {
      directory: this.follower.current(),
      emailDigest: (email) => this.vault.emailDigest(email),
    };
  }
}

function extentOf({
  limit = 100,
  newest_first: isNewestFirst = false,
  with_data: withData = true,
}: ReadTimelineParameters): LogExtent {
  return {
    limit: Math.min(1000, Math.max(1, limit)),
    direction: isNewestFirst ? 'backwards' : 'forwards',
    withData,
  };
}
