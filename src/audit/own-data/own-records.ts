import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { hasContentAccess } from '../../access/channel-permissions.js';
import { alertWordsOf, mutedUsersOf, userTopicsOf } from '../../contexts/attention/attention.replies.js';
import type { Attention } from '../../contexts/attention/attention.state.js';
import { AttentionReader } from '../../contexts/attention/attention-reader.js';
import { GetSubscriptions } from '../../contexts/channels/queries/subscriptions.js';
import { MessageReader } from '../../contexts/messages/message-reader.js';
import { GetNavigationViews } from '../../contexts/personal/navigation/queries/get-navigation-views.js';
import { GetDrafts, GetReminders, GetScheduledMessages } from '../../contexts/personal/queries/personal.js';
import { GetSavedSnippets } from '../../contexts/personal/snippets/queries/get-saved-snippets.js';
import { GetDevices } from '../../contexts/push/queries/get-devices.js';
import { GetSettings } from '../../contexts/settings/queries/settings.js';
import { GetStatus } from '../../contexts/statuses/queries/status.js';
import { GetAttachments } from '../../contexts/uploads/queries/uploads.js';
import { GetApiKeys } from '../../contexts/users/queries/account-security.js';
import { GetBots } from '../../contexts/users/queries/bots.js';
import { GetOwnUser } from '../../contexts/users/queries/users.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { Readers } from '../../reader-threads/readers.js';

/** Reads what belongs to the caller, by the queries of the API and with the caller's own permissions. */
@Injectable()
export class OwnRecords {
  constructor(
    private readonly queries: QueryBus,
    private readonly readers: Readers,
    private readonly attention: AttentionReader,
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
  ) {}

  /**
   * Returns the records as members of one object, each as the API shows it. @throws ApplicationError
   * `accountDeactivated`
   */
  async of(caller: Caller): Promise<object> {
    const { queries } = this;
    const attention = await this.attention.of(caller.userId);
    return {
      account: await queries.execute(new GetOwnUser(caller)),
      settings: await queries.execute(new GetSettings(caller)),
      status: await queries.execute(new GetStatus(caller, caller.userId)),
      subscriptions: await this.readers.ask(new GetSubscriptions(caller, 'false')),
      groups: this.groupsOf(caller),
      api_keys: await queries.execute(new GetApiKeys(caller, '')),
      devices: await queries.execute(new GetDevices(caller)),
      bots: await this.botsOf(caller),
      ...(await this.written(caller)),
      alert_words: alertWordsOf(attention),
      muted_users: mutedUsersOf(attention),
      topic_policies: this.policiesOf(caller, attention),
      starred_messages: await (await this.messages.open(caller)).starred(),
      attachments: (await queries.execute(new GetAttachments(caller))).attachments,
    };
  }

  /** The channels whose topics the caller may read. @throws ApplicationError `accountDeactivated` */
  channelsOf(caller: Caller): readonly number[] {
    const { snapshot, user } = this.decisions.actor(caller);
    return [...snapshot.directory.channels()]
      .filter((channel) => hasContentAccess(snapshot, user, channel))
      .map(({ id }) => id);
  }

  private async written(caller: Caller): Promise<object> {
    const { queries } = this;
    return {
      drafts: await queries.execute(new GetDrafts(caller)),
      scheduled_messages: await queries.execute(new GetScheduledMessages(caller)),
      reminders: await queries.execute(new GetReminders(caller)),
      saved_snippets: await queries.execute(new GetSavedSnippets(caller)),
      navigation_views: await queries.execute(new GetNavigationViews(caller)),
    };
  }

  /**
   * A visibility policy moves with its topic, also to a channel that the caller cannot see, so such policies are left
   * out.
   */
  private policiesOf(caller: Caller, attention: Attention): readonly object[] {
    const readable = new Set(this.channelsOf(caller));
    const topics = attention.topics.filter(({ channelId }) => readable.has(channelId));
    return userTopicsOf({ ...attention, topics }, (topic) => topic);
  }

  private groupsOf(caller: Caller): readonly object[] {
    const { snapshot, user } = this.decisions.actor(caller);
    return [...snapshot.directory.groups()]
      .filter(({ memberIds }) => memberIds.includes(user.id))
      .map(({ id, name }) => ({ id, name }));
  }

  /** Without keys and tokens, so that somebody who finds the copy cannot log in with them. */
  private async botsOf(caller: Caller): Promise<readonly object[]> {
    const bots = await this.queries.execute(new GetBots(caller));
    return bots.map(({ api_key: _key, services: _services, ...bot }) => bot);
  }
}
