import { describe, expect, it } from '@jest/globals';
import { ownTimeline, personTimeline } from '../../src/audit/log/timelines.js';
import { draftEvents, personalEvents } from '../../src/events/personal.js';
import { flagEvents } from '../../src/events/message-flags.js';
import { attentionEvents } from '../../src/events/attention.js';
import { messageEvents } from '../../src/events/messages.js';
import { missedMessageEvents } from '../../src/events/missed-messages.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';

const typesOf = (events: readonly { readonly type: string }[]): readonly string[] =>
  events.map(({ type }) => type);

/** What a person writes and reads, and how they arrange it, is not what happens to their account. */
const personal = [
  ...typesOf([...messageEvents, ...personalEvents, ...draftEvents, ...flagEvents, ...attentionEvents]),
  ...typesOf(missedMessageEvents),
  'UserSettingChanged',
];

/** Events about one person that are no part of the timeline that auditors see. */
const notForAuditors: ReadonlySet<string> = new Set([
  ...personal,
  'UserStatusChanged',
  // What somebody looked at or requested is found by its actor.
  'LogAudited',
  'ExportRequested',
]);

/** Events about one person that are no part of the timeline in their own data. */
const notForThemselves: ReadonlySet<string> = new Set([
  ...personal,
  'LogAudited',
  'ExportRequested',
  // Their data names no other people, and no channels.
  'InvitationAccepted',
  'SubscriptionPropertyChanged',
  'PersonErasureRequested',
  'PersonErased',
  'PersonErasureRefused',
]);

/** The types of the events that are about one person. */
const aboutSomebody = eventCatalog.definitions
  .filter(({ example }) => 'userId' in (example as object))
  .map(({ type }) => type);

describe('the timeline of an account', () => {
  it.each([
    ['auditors', personTimeline, notForAuditors],
    ['the person', ownTimeline, notForThemselves],
  ] as const)('has for %s every event about a person, but for known exceptions', (_, timelineOf, left) => {
    const shown = new Set(timelineOf(4).types);
    expect(aboutSomebody.filter((type) => !shown.has(type) && !left.has(type))).toEqual([]);
    expect([...left].filter((type) => shown.has(type))).toEqual([]);
  });
});
