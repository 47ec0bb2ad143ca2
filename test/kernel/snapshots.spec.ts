import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountLinkEvents } from '../../src/events/account-links.js';
import { requestedLinksFold } from '../../src/contexts/account-links/requested-links.state.js';
import { attentionFold, automaticAttentionFold } from '../../src/contexts/attention/attention.state.js';
import { attentionEvents } from '../../src/events/attention.js';
import { channelDirectoryFold } from '../../src/contexts/channels/channels.state.js';
import { channelSubscriptionsFold } from '../../src/contexts/channels/subscriptions.state.js';
import { ChannelCreated, channelDirectoryEvents } from '../../src/events/channels.js';
import { subscriptionEvents } from '../../src/events/subscriptions.js';
import { channelFoldersFold } from '../../src/access/records/channel-folders.js';
import { channelFolderEvents } from '../../src/events/channel-folders.js';
import { customEmojiFold } from '../../src/access/records/custom-emoji.js';
import { customEmojiEvents } from '../../src/events/custom-emoji.js';
import { stateIn, stateLines } from '../../src/stores/event-store/snapshots/state-lines.js';
import { invitationEvents } from '../../src/events/invitations.js';
import { invitationsFold } from '../../src/contexts/invitations/invitations.state.js';
import type { Fold } from '../../src/kernel/fold.js';
import type { AnyEventDefinition, DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { linkifierEvents } from '../../src/events/linkifiers.js';
import { linkifiersFold } from '../../src/access/records/linkifiers.js';
import { channelMovesFold } from '../../src/contexts/messages/moves/channel-moves.state.js';
import { flagEvents } from '../../src/events/message-flags.js';
import { flagsFold } from '../../src/contexts/messages/flags/flags.state.js';
import { moveEvents } from '../../src/events/message-moves.js';
import { handledFold } from '../../src/contexts/missed-messages/missed-messages.state.js';
import { MissedMessagesMailed, MissedMessagesPassed } from '../../src/events/missed-messages.js';
import { callsFold } from '../../src/contexts/outgoing-webhooks/calls.state.js';
import { outgoingWebhookEvents } from '../../src/events/outgoing-webhooks.js';
import { externalSignInEvents } from '../../src/events/external-sign-in.js';
import { linkedIdentityFold } from '../../src/contexts/external-sign-in/linked-identity.state.js';
import { organizationEvents } from '../../src/events/organization.js';
import { organizationFold } from '../../src/access/records/organization.js';
import { botStorageFold } from '../../src/contexts/personal/bot-storage/bot-storage.state.js';
import { botStorageEvents } from '../../src/events/bot-storage.js';
import { draftsFold } from '../../src/contexts/personal/drafts.state.js';
import { draftEvents, reminderEvents, scheduledMessageEvents } from '../../src/events/personal.js';
import { navigationViewEvents } from '../../src/events/navigation-views.js';
import { navigationViewsFold } from '../../src/contexts/personal/navigation/navigation-views.state.js';
import { remindersFold } from '../../src/contexts/personal/reminders.state.js';
import { scheduledMessagesFold } from '../../src/contexts/personal/scheduled-messages.state.js';
import { onboardingEvents } from '../../src/events/onboarding.js';
import { completedStepsFold } from '../../src/contexts/personal/onboarding/onboarding-steps.state.js';
import { savedSnippetEvents } from '../../src/events/saved-snippets.js';
import { savedSnippetsFold } from '../../src/contexts/personal/snippets/saved-snippets.state.js';
import { profileFieldEvents } from '../../src/events/profile-fields.js';
import { profileFieldsFold } from '../../src/access/records/profile-fields.js';
import { devicesFold } from '../../src/contexts/push/devices.state.js';
import { deviceEvents } from '../../src/events/devices.js';
import { settingEvents } from '../../src/events/settings.js';
import { ownSettingsFold } from '../../src/contexts/settings/settings.state.js';
import { uploadEvents } from '../../src/events/uploads.js';
import { uploadsFold } from '../../src/contexts/uploads/uploads.state.js';
import { userEvents } from '../../src/events/users.js';
import { groupDirectoryFold } from '../../src/contexts/users/user-groups.state.js';
import { userGroupEvents } from '../../src/events/user-groups.js';
import { userDirectoryFold } from '../../src/contexts/users/users.state.js';
import { foldEvents } from '../support/fold-events.js';
import { plainState } from '../support/plain-state.js';
import { randomHistory } from '../support/random-history.js';
import { standIn } from '../support/stand-in.js';

type AnyFold = Fold<unknown, RecordedEvent>;

/** A fold, regardless of the types of its state and events. */
function any<State, Past>(fold: Fold<State, Past>): AnyFold {
  return standIn<AnyFold>(fold);
}

const creation = recorded([{ type: 'ChannelCreated', data: ChannelCreated.example }])[0]!;
const subscriptionsFold = channelSubscriptionsFold(
  creation as Parameters<typeof channelSubscriptionsFold>[0],
);

/**
 * Every fold with snapshots: the events of its streams, its version, and the digest of its state after the events'
 * examples.
 */
const folds: readonly (readonly [AnyFold, readonly AnyEventDefinition[], number, string])[] = [
  [any(requestedLinksFold), accountLinkEvents, 2, 'e135b7c1b9d5ab3d'],
  [any(attentionFold), attentionEvents, 1, 'c47abc046ad32915'],
  [any(automaticAttentionFold), attentionEvents, 1, '82a96026258dcdd3'],
  [any(channelDirectoryFold), channelDirectoryEvents, 2, '5540d96a7f4479ad'],
  [any(subscriptionsFold), subscriptionEvents, 1, '7128c78e72354531'],
  [any(channelMovesFold), moveEvents, 1, '1578b49f68ba47e4'],
  [any(channelFoldersFold), channelFolderEvents, 1, '81f66f154cd62834'],
  [any(customEmojiFold), customEmojiEvents, 1, '2338e73e5960502b'],
  [any(invitationsFold), invitationEvents, 2, '5db3568d6143479b'],
  [any(linkifiersFold), linkifierEvents, 1, '8dabd3f49cbf7c7f'],
  [any(flagsFold), flagEvents, 1, '181fa9a6370d4ee3'],
  [any(handledFold), [MissedMessagesMailed, MissedMessagesPassed], 1, 'c5f5f165c071bd01'],
  [any(linkedIdentityFold), externalSignInEvents, 1, '1414986425895e31'],
  [any(organizationFold), organizationEvents, 8, 'f178aa00f4c67600'],
  [any(botStorageFold), botStorageEvents, 1, 'e985c06044d8e05b'],
  [any(draftsFold), draftEvents, 1, '32863a5484bd12ee'],
  [any(remindersFold), reminderEvents, 1, '67198aa92457aaf8'],
  [any(scheduledMessagesFold), scheduledMessageEvents, 1, '7d99ccfb591c669f'],
  [any(navigationViewsFold), navigationViewEvents, 1, '7463024a45b684ed'],
  [any(completedStepsFold), onboardingEvents, 1, '8042114517a3130f'],
  [any(savedSnippetsFold), savedSnippetEvents, 1, '6f28373804f491dc'],
  [any(profileFieldsFold), profileFieldEvents, 1, '5b46f5c20c2fed27'],
  [any(devicesFold), deviceEvents, 3, '312bf0a851204c56'],
  [any(ownSettingsFold), settingEvents, 1, '5465ad9bbf82fe80'],
  [any(uploadsFold), uploadEvents, 3, 'f52fda5eadcacce2'],
  [any(callsFold), outgoingWebhookEvents, 2, '247aa826eb7cfd05'],
  [any(userDirectoryFold), userEvents, 4, 'feb50d34dd3722e1'],
  [any(groupDirectoryFold), userGroupEvents, 1, '91562d1800d0ac4d'],
];

/** Events as if they had been read from a stream. */
function recorded(events: readonly DomainEvent[]): RecordedEvent[] {
  return events.map((event, revision) => {
    const command = { actorId: 1, commandId: `command ${revision}`, causationId: `cause ${revision}` };
    const facts = { id: `event ${revision}`, stream: 'stream', revision, position: revision, erased: false };
    return {
      ...event,
      ...facts,
      metadata: { ...command, client: 'tests', at: 1_700_000_000_000 + revision },
    };
  });
}

function examples(definitions: readonly AnyEventDefinition[]): RecordedEvent[] {
  return recorded(definitions.map(({ type, example: data }) => ({ type, data })));
}

async function kept(state: unknown): Promise<unknown> {
  return stateIn(
    (async function* () {
      yield* stateLines(state);
    })(),
  );
}

async function expectSnapshotAndRestAsAll(
  fold: AnyFold,
  events: readonly RecordedEvent[],
  length: number,
): Promise<void> {
  const snapshot = await kept(foldEvents(fold, events.slice(0, length)));
  const resumed = foldEvents(fold, events.slice(length), snapshot);
  expect(plainState(resumed)).toStrictEqual(plainState(foldEvents(fold, events)));
}

describe.each(folds.map((row) => [row[0].snapshot?.name, row] as const))(
  'the fold "%s"',
  (_name, [fold, definitions, version, digest]) => {
    it('comes to the same from a snapshot and the rest as from everything', async () => {
      const history = fc.array(fc.constantFrom(...definitions), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(history, fc.nat(20), (chosen, length) =>
          expectSnapshotAndRestAsAll(fold, examples(chosen), length),
        ),
      );
    });

    it('has another version when the same events make another state', () => {
      const hash = createHash('sha256');
      let state = fold.initial;
      for (const event of examples([...definitions, ...definitions])) {
        state = fold.evolve(state, event);
        hash.update(JSON.stringify(plainState(state)));
      }
      // If this fails, increase the version in the fold's definition, and enter it here with the new digest.
      expect([fold.snapshot?.version, hash.digest('hex').slice(0, 16)]).toEqual([version, digest]);
    });
  },
);

describe('snapshots', () => {
  it('are known by different names, and every fold that has any is tested here', async () => {
    const names = folds.map(([fold]) => fold.snapshot!.name);
    expect(new Set(names).size).toBe(names.length);
    const declared: string[] = [];
    for (const entry of await readdir('src', { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
      for (const [, name] of text.matchAll(/snapshot: \{ name: '([^']+)'/g)) declared.push(name!);
    }
    expect(declared.sort()).toEqual([...names].sort());
  });

  it('give, with the events after them, the same state as all events', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, fc.nat(30), async (appends, length) => {
        for (const [stream, fold] of foldsOf(appends)) {
          const events = appends
            .filter((append) => append.stream === stream)
            .flatMap((append) => append.events);
          await expectSnapshotAndRestAsAll(fold, recorded(events), length);
        }
      }),
    );
  });

  it.each([
    ['invitations', any(invitationsFold), invitationEvents],
    ['uploads', any(uploadsFold), uploadEvents],
    ['drafts', any(draftsFold), draftEvents],
    ['snippets', any(savedSnippetsFold), savedSnippetEvents],
    ['reminders', any(remindersFold), reminderEvents],
    ['scheduled messages', any(scheduledMessagesFold), scheduledMessageEvents],
  ])(
    'hold nothing of what %s say: a key of their own, that is destroyed by itself, guards it',
    (_what, fold, definitions) => {
      const texts = definitions.flatMap((definition: AnyEventDefinition) =>
        (definition.erasable?.fields ?? []).map(
          (field) => (definition.example as Record<string, unknown>)[field],
        ),
      );
      const written = texts.filter((text) => typeof text === 'string' && text !== '');
      expect(written.length).toBeGreaterThan(0);
      let state = fold.initial;
      for (const event of examples(definitions)) {
        state = fold.evolve(state, event);
        const lines = [...stateLines(state)].join();
        for (const text of written) expect(lines).not.toContain(text);
      }
    },
  );

  it('keep maps of any size', async () => {
    for (const size of [0, 1, 199, 200, 201, 5_000]) {
      const map = PersistentMap.from(Array.from({ length: size }, (_, id) => [id, { id }] as const));
      expect(plainState(await kept({ nested: { map } }))).toStrictEqual(plainState({ nested: { map } }));
    }
  });
});

/** The folds for the streams of a history. */
function foldsOf(appends: readonly { readonly stream: string }[]): ReadonlyMap<string, AnyFold> {
  const directories = new Map<string, AnyFold>([
    ['organization', any(organizationFold)],
    ['users', any(userDirectoryFold)],
    ['groups', any(groupDirectoryFold)],
    ['channels', any(channelDirectoryFold)],
    ['profile-fields', any(profileFieldsFold)],
  ]);
  return new Map(
    appends.flatMap(({ stream }) => {
      const fold = directories.get(stream) ?? (stream.startsWith('channel-') ? any(subscriptionsFold) : null);
      return fold === null ? [] : [[stream, fold] as const];
    }),
  );
}
