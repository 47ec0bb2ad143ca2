import { describe, expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { EmailTemplates } from '../../src/contexts/mail/email.js';
import { messageDefaults, type MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { MessageTexts } from '../../src/contexts/missed-messages/message-texts.js';
import { MissedMessageEmails } from '../../src/contexts/missed-messages/missed-message-emails.js';
import type { UnsubscribeLinks } from '../../src/contexts/missed-messages/unsubscribe-links.js';
import { PublicAddress } from '../../src/http/public-address.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import { TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';
import { countingTurns } from '../support/turns.js';

const organization = new TestOrganization();
const [sender, ada] = [organization.register(), organization.register()];
const { directory } = organization.snapshot();
const log = new TestLog();

/** A hundred messages in as many conversations. */
const ids = Array.from({ length: 100 }, (_, index) => index + 1);
const documents = ids.map((_id): MessageDocument => {
  const place = { conversation: `${_id}`, participantIds: [sender, ada], recipientId: 1, timestamp: 1 };
  return { ...messageDefaults, ...place, _id, senderId: sender, content: `text ${_id}` };
});

/** What the writing of an e-mail asks of the messages. */
class CountingReader {
  /** How many messages each request loads. */
  readonly loaded: number[] = [];
  readonly cache = {};

  open(): Promise<unknown> {
    return Promise.resolve({
      byIds: (asked: readonly number[]) => Promise.resolve(asked.map((_id) => ({ _id, changes: 1 }))),
      load: (states: readonly { readonly _id: number }[]) => {
        this.loaded.push(states.length);
        return Promise.resolve(states.map(({ _id }) => ({ document: documents[_id - 1]! })));
      },
    });
  }
}

function templatesOver(counting: CountingReader): EmailTemplates {
  const templates = new EmailTemplates();
  const reader = standIn<MessageReader>(counting);
  const mail = ids.map(() => ({ userId: ada, trigger: 'direct_message', dueAt: 0 }));
  const missed = log.append('missed', [{ type: 'MessageMissed', data: { messageId: 1, mail, push: [] } }]);
  new MissedMessageEmails(
    templates,
    reader,
    standIn<DirectoryFollower>({ current: () => directory }),
    new PublicAddress('https://chat.example.com'),
    standIn<EventLog>({ readStream: () => Promise.resolve(missed) }),
    standIn<UnsubscribeLinks>({ to: () => 'https://chat.example.com/unsubscribe' }),
    new MessageTexts(reader),
  ).onModuleInit();
  return templates;
}

const [mailed] = log.append('mailed', [
  { type: 'MissedMessagesMailed', data: { userId: ada, messageIds: ids, settledIds: ids } },
]);

describe('an e-mail about a hundred messages', () => {
  it('is written in steps, with a turn of the event loop for each load and each text', async () => {
    const reader = new CountingReader();
    const { result, turns } = await countingTurns(() => templatesOver(reader).write(mailed!));
    expect(result?.text).toContain('text 100');
    expect(reader.loaded).toEqual(Array(10).fill(10));
    expect(turns).toBeGreaterThanOrEqual(ids.length + reader.loaded.length);
  });

  it('is not written at the same time as another', async () => {
    const reader = new CountingReader();
    const templates = templatesOver(reader);
    let [most, now] = [0, 0];
    const { open } = reader;
    reader.open = async () => {
      most = Math.max(most, (now += 1));
      await new Promise(setImmediate);
      now -= 1;
      return open.call(reader);
    };
    await Promise.all([templates.write(mailed!), templates.write(mailed!), templates.write(mailed!)]);
    expect(most).toBe(1);
    expect(reader.loaded).toHaveLength(30);
  });
});
