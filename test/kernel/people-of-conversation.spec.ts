import { knowsEveryone } from '../../src/access/known-people.js';
import { expect, it } from '@jest/globals';
import { resolveRecipient } from '../../src/contexts/messages/sending/recipients.js';
import { decideSendMessage } from '../../src/contexts/messages/sending/sending.decide.js';
import { noUploads } from '../../src/contexts/messages/sending/compose-text.js';
import { draftContent } from '../../src/contexts/personal/draft-content.js';
import { typingRecipient } from '../../src/contexts/typing/typing.js';
import type { UserEvent } from '../../src/events/users.js';
import { budgets } from '../../src/kernel/budgets.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const sender = organization.user(organization.register());
const others = Array.from({ length: budgets.peopleOfConversation.max }, (_, index) => sender.id + 1 + index);
// All at once: `register` reads what happened before.
organization.happened(...others.map(registered));
const enough = others.slice(1);
const snapshot = organization.snapshot();

function registered(userId: number): UserEvent {
  return {
    type: 'UserRegistered',
    data: {
      userId,
      email: `person${userId}@example.com`,
      emailDigest: `digest of person${userId}`,
      fullName: `Person ${userId}`,
      role: 400,
      bot: null,
      awaitsFirstLogin: false,
    },
  };
}

it('A direct message has a maximum number of recipients, its sender included', () => {
  const to = (people: readonly number[] | readonly string[]) =>
    resolveRecipient({ type: 'direct', people }, { snapshot, sender, userByEmail: () => sender });
  expect(to(enough)).toEqual({ type: 'direct', userIds: [sender.id, ...enough] });
  expect(to([...enough, ...enough, sender.id])).toEqual(to(enough));
  expect(refusal(() => to(others))).toBe('tooManyRecipients');
  // They are not even looked up.
  expect(refusal(() => to([...others, 99_999]))).toBe('tooManyRecipients');
  expect(refusal(() => to([...others, 99_999].map((id) => `person${id}@example.com`)))).toBe(
    'tooManyRecipients',
  );
});

it('The decision to send a direct message refuses more recipients than the maximum', () => {
  const send = (userIds: readonly number[]) =>
    decideSendMessage(
      { content: 'hello', readBySender: false },
      {
        snapshot,
        sender,
        recipient: { type: 'direct', userIds: [sender.id, ...userIds] },
        isNewConversation: true,
        topicParticipantIds: [],
        uploads: noUploads,
      },
    );
  expect(send(enough).type).toBe('MessageSent');
  expect(refusal(() => send(others))).toBe('tooManyRecipients');
});

it('A typing notification goes to a maximum number of people', () => {
  const type = (userIds: readonly number[]) =>
    typingRecipient({ snapshot, sender, knows: knowsEveryone }, { type: 'direct', userIds });
  expect(type(enough)).toEqual({ type: 'direct', userIds: [sender.id, ...enough] });
  expect(refusal(() => type(others))).toBe('tooManyRecipients');
});

it('A draft has a maximum number of recipients', () => {
  const draft = (to: readonly number[]) =>
    draftContent(
      { type: 'direct', to, topic: '', content: 'half a thought', timestamp: 5 },
      { snapshot, writer: sender },
    );
  expect(draft(others).to).toEqual(others);
  expect(refusal(() => draft([...others, sender.id]))).toBe('tooManyRecipients');
});
