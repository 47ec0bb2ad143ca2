import { Directory } from '../../src/access/directory.js';
import { budgets } from '../../src/kernel/budgets.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { topicUrl } from '../../src/markdown/inline/channel-link.js';
import { renderMarkdown } from '../../src/markdown/render.js';
import { MESSAGES_STREAM } from '../../src/events/messages.js';
import {
  decideCancelReminder,
  decideRequestReminder,
  type ReminderDraft,
  decideTriggerReminder,
} from '../../src/contexts/personal/reminders.decide.js';
import { DueReminders } from '../../src/contexts/personal/jobs.js';
import type { ReminderEvent } from '../../src/events/personal.js';
import { ConsistentLog } from '../../src/http/consistency.js';
import { Decisions } from '../../src/http/decisions.js';
import type { PersonalReader } from '../../src/contexts/personal/personal-reader.js';
import { SendReminders } from '../../src/contexts/personal/reactors.js';
import { reminderText } from '../../src/contexts/personal/commands/reminders.js';
import { remindersFold, type Reminders } from '../../src/contexts/personal/reminders.state.js';
import { createChannel } from '../support/channels.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { standIn } from '../support/stand-in.js';

const ada = 7;
const now = atTheTime;
const seconds = now / 1000;
const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
const text = { content: 'You requested a reminder.', references: {}, mentions };
const draft: ReminderDraft = { userId: ada, messageId: 41, dueAt: seconds + 60, text };
const first = { userId: ada, reminderId: 1 };

function after(...events: readonly ReminderEvent[]): Reminders {
  const log = new TestLog();
  log.append(`user-${ada}`, events);
  return log.fold<Reminders, ReminderEvent>(remindersFold, `user-${ada}`);
}

const requested = decideRequestReminder(remindersFold.initial, draft, { now });

describe('a reminder', () => {
  it('is requested for a message and a time to come', () => {
    expect(requested).toEqual([
      {
        type: 'ReminderRequested',
        data: { userId: ada, reminderId: 1, messageId: 41, dueAt: seconds + 60, ...text },
      },
    ]);
    for (const dueAt of [seconds, seconds - 1]) {
      const request = (): unknown => decideRequestReminder(after(), { ...draft, dueAt }, { now });
      expect(refusal(request)).toBe('dueTimePassed');
    }
  });

  it('is one of a limited number', () => {
    const events = Array.from({ length: budgets.reminders.max }, (_, index): ReminderEvent => {
      const [{ type, data }] = requested as readonly [(typeof requested)[number]];
      return { type, data: { ...data, reminderId: index + 1 } };
    });
    expect(refusal(() => decideRequestReminder(after(...events), draft, { now }))).toBe('tooManyReminders');
    expect(refusal(() => decideRequestReminder(after(...events.slice(1)), draft, { now }))).toBeNull();
  });

  it('comes due at its time, and once', () => {
    const triggered: ReminderEvent = { type: 'ReminderTriggered', data: first };
    expect(decideTriggerReminder(after(...requested), first, seconds + 59)).toEqual([]);
    expect(decideTriggerReminder(after(...requested), first, seconds + 60)).toEqual([triggered]);
    expect(decideTriggerReminder(after(...requested, triggered), first, seconds + 60)).toEqual([]);
  });

  it('can be taken back until then', () => {
    const cancelled: ReminderEvent = { type: 'ReminderCancelled', data: first };
    expect(decideCancelReminder(after(...requested), first)).toEqual([cancelled]);
    expect(decideTriggerReminder(after(...requested, cancelled), first, seconds + 60)).toEqual([]);
    for (const state of [
      after(),
      after(...requested, cancelled),
      after(...requested, { type: 'ReminderTriggered', data: first }),
    ]) {
      expect(refusal(() => decideCancelReminder(state, first))).toBe('noSuchReminder');
    }
  });
});

describe('what the notification bot says', () => {
  const organization = new TestOrganization();
  const sender = organization.register({ fullName: 'Ada Quill' });
  const channelId = createChannel(organization, [sender], { name: 'lab' });
  const message = {
    _id: 41,
    channelId,
    topic: 'engines',
    participantIds: null,
    senderId: sender,
    content: 'Note G',
  };
  const say = (content: string, note = ''): string =>
    reminderText({ ...message, content }, note, { snapshot: organization.snapshot() });

  it('names the place and quotes the message, with its author mentioned silently', () => {
    expect(say('Note G')).toBe(
      `You requested a reminder for #**lab>engines@41**.\n\n@_**Ada Quill|${sender}** ` +
        `[said](#narrow/channel/${channelId}-lab/topic/engines/near/41):\n` +
        '```quote\nNote G\n```',
    );
  });

  it('links to a direct message too', () => {
    const told = (...participantIds: readonly number[]): string =>
      reminderText({ ...message, channelId: null, topic: null, participantIds }, '', {
        snapshot: organization.snapshot(),
      });
    expect(told(3, 7)).toMatch(/^You requested a reminder for a direct message\./);
    expect(told(3, 7)).toContain('[said](#narrow/dm/3,7-dm/near/41):');
    expect(told(3, 7, 9)).toContain('[said](#narrow/dm/3,7,9-group/near/41):');
  });

  it.each(['', 'a*b', '**bold**', '$$x$$', '[a](b)', 'a`b', 'engines@12'])(
    'links to the message in a topic named “%s”',
    (topic) => {
      const said = reminderText({ ...message, topic }, '', { snapshot: organization.snapshot() });
      const { html } = renderMarkdown(said, { channels: [{ id: channelId, name: 'lab' }] });
      const addresses = Array.from(html.matchAll(/href="\/?([^"]+)"/g), ([, address]) => address);
      const address = topicUrl({ id: channelId, name: 'lab' }, topic, 41).slice(1);
      expect(addresses).toEqual([address, address]);
    },
  );

  it('quotes each line of the note', () => {
    expect(say('Note G', 'one\ntwo')).toContain('. Note:\n> one\n> two\n\n');
  });

  it('stays within the quotation for any text of the message', () => {
    const { html } = renderMarkdown(say('```\ncode\n```\n````\nmore'), {});
    expect(html).toMatch(/<\/blockquote>$/);
  });

  it('is as long as a message may be, the quotation closed', () => {
    const long = say('x'.repeat(10_000), 'n'.repeat(500));
    expect([...long].length).toBe(10_000);
    expect(long).toMatch(/\[message truncated\]\n```$/);
  });
});

describe('the time of a reminder', () => {
  let stores: TemporaryStores;
  let time = now;
  const clock = { now: () => time };

  beforeEach(async () => {
    stores = await openTemporaryStores();
    time = now;
    const metadata = { actorId: ada, commandId: 'one', causationId: null, client: 'test', at: now };
    await stores.log.append({ stream: `user-${ada}`, expected: 'no-stream' }, requested, {
      ...metadata,
      commandId: '00000000-0000-4000-8000-000000000001',
    });
  });

  afterEach(() => stores.dispose());

  /** Like a process that has just started, whose read model still contains every reminder as waiting. */
  function starting(): { readonly job: DueReminders; readonly reactor: SendReminders } {
    const reader = standIn<PersonalReader>({
      reminders: () => Promise.resolve({ find: () => Promise.resolve([{ ...first, dueAt: draft.dueAt }]) }),
    });
    const follower = standIn<DirectoryFollower>({ current: () => new Directory() });
    const log = new ConsistentLog(stores.log, []);
    const personal = new Decisions(new FoldedStreams(stores.log), follower, clock, log);
    return {
      job: new DueReminders(reader, personal, clock),
      reactor: new SendReminders(personal, stores.log, clock),
    };
  }

  const personalEvents = (): Promise<readonly RecordedEvent[]> =>
    stores.log.readStream(`user-${ada}`, { from: 0, limit: 10 });

  it('triggers it once, over however many starts', async () => {
    time = draft.dueAt * 1000 - 1;
    await starting().job.perform();
    expect(await personalEvents()).toHaveLength(1);
    time = draft.dueAt * 1000;
    await starting().job.perform();
    await starting().job.perform();
    const { job } = starting();
    await Promise.all([job.perform(), job.perform()]);
    expect((await personalEvents()).map(({ type }) => type)).toEqual([
      'ReminderRequested',
      'ReminderTriggered',
    ]);
  });

  it('makes the bot say it once, however often the event is seen', async () => {
    time = draft.dueAt * 1000;
    await starting().job.perform();
    const [, triggered] = await personalEvents();
    await starting().reactor.on['ReminderTriggered']!(triggered!);
    time += 60_000;
    await starting().reactor.on['ReminderTriggered']!(triggered!);
    const messages = await stores.log.readStream(MESSAGES_STREAM, { from: 0, limit: 10 });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      data: { senderId: 1, recipient: { type: 'direct', userIds: [1, ada] }, content: text.content },
      metadata: { actorId: null, causationId: triggered!.id },
    });
  });
});
