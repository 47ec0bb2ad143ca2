import { describe, expect, it } from '@jest/globals';
import type { MissedTrigger } from '../../src/events/missed-messages.js';
import {
  mailChoiceOf,
  readChoice,
  writtenChoice,
  type MailChoice,
} from '../../src/contexts/missed-messages/mail-choice.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const ada = organization.register();
const channelId = createChannel(organization, [ada], { name: 'lab' });

const choiceFor = (trigger: MissedTrigger): MailChoice =>
  mailChoiceOf({ userId: ada, trigger, channelId }, organization.snapshot().directory);

describe('what ends e-mails about unread messages', () => {
  it.each([
    ['direct_message', 'enable_offline_email_notifications'],
    ['mentioned', 'enable_offline_email_notifications'],
    ['wildcard_mentioned', 'enable_offline_email_notifications'],
    ['followed_topic', 'enable_followed_topic_email_notifications'],
    ['channel', 'enable_stream_email_notifications'],
  ] as const)('is for %s the setting %s', (trigger, name) => {
    expect(choiceFor(trigger)).toEqual({ kind: 'setting', name });
  });

  it('is parsed back to the same choice, and any other text is rejected', () => {
    const choices: MailChoice[] = [
      choiceFor('channel'),
      choiceFor('mentioned'),
      { kind: 'channel', channelId: 41 },
    ];
    for (const choice of choices) expect(readChoice(writtenChoice(choice))).toEqual(choice);
    for (const text of ['', 'channel-', 'channel-0', 'channel-1x', 'enable_sounds', 'toString', '__proto__'])
      expect(readChoice(text)).toBeNull();
  });
});
