import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noticesFor, type NoticedEvent } from '../../src/contexts/channels/channel-notices.js';
import { groupSettingName } from '../../src/contexts/channels/notice-texts.js';
import type { Notice } from '../../src/contexts/channels/notices.js';
import { joinedNotice, welcomeText } from '../../src/contexts/invitations/welcome.view.js';
import type { Snapshot } from '../../src/access/snapshot.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { composeText, noUploads } from '../../src/contexts/messages/sending/compose-text.js';
import { renderMarkdown } from '../../src/markdown/render.js';
import { plainMarkdown } from '../../src/markdown/written-names.js';
import { noticesOfMove } from '../../src/contexts/messages/moves/move-notices.decide.js';
import type { MoveDocument } from '../../src/contexts/messages/moves/move-documents.js';
import type { MoveEvent } from '../../src/events/message-moves.js';
import { reminderText } from '../../src/contexts/personal/commands/reminders.js';
import { GROUPS_STREAM } from '../../src/contexts/users/user-groups.state.js';
import { createChannel } from '../support/channels.js';
import { TestLog } from '../support/given.js';
import { elementsOf, htmlTree, type HtmlTree } from '../support/html-tree.js';
import { TestOrganization } from '../support/organization.js';

const pieces =
  '@**all** @_**all** @**Ada** @*crew* @** ** * ` ``` ~~~ [x](http://evil.example) http://evil.example evil.example/x #** ** > ' +
  '$$x$$ :smile: :) <time:2026-01-01> | ~~x~~ &amp; &#42; ! \\ { } /me - + 1) a b é _x_ :// www.a.example mail@evil.example 1. <b>';

/** Names of characters that have a meaning in Markdown. */
const hostileName = fc
  .array(fc.oneof(fc.constantFrom(...pieces.split(' '), ' '), fc.string({ maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) =>
    parts
      .join('')
      .replaceAll(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu, '')
      .trim(),
  )
  // Rendering changes other kinds of white space and emoji, so such names are excluded.
  .filter((name) => name !== '' && !/\p{Emoji_Presentation}|(?! )\s/u.test(name));

/** The names of topics and people may also contain separators of lines and paragraphs. */
const separatedName = fc
  .tuple(hostileName, fc.constantFrom('', '\u2028', '\u2029'), hostileName)
  .map((parts) => parts.join(''));

interface Names {
  readonly channel: string;
  readonly former: string;
  readonly topic: string;
  readonly group: string;
  readonly person: string;
  readonly organization: string;
}

const names: fc.Arbitrary<Names> = fc.record({
  channel: hostileName,
  former: hostileName,
  topic: separatedName,
  group: hostileName,
  person: separatedName,
  organization: hostileName,
});

/** A text, and the names that it must show. */
type Said = readonly [content: string, shows: readonly string[]];

/** Every text that contains a name, with the names that it must show. */
function saidOf(given: Names): { snapshot: Snapshot; said: readonly Said[] } {
  const organization = new TestOrganization();
  organization.register({ bot: { type: 1, ownerId: null, isSystem: true } });
  organization.register({ fullName: 'Ada' });
  const actorId = organization.register({ fullName: given.person });
  const reader = organization.register();
  const groupId = organization.group([]);
  organization.log.append(GROUPS_STREAM, [
    { type: 'UserGroupRenamed', data: { groupId, name: given.group, previousName: '' } },
  ]);
  const channelId = createChannel(organization, [actorId, reader], { name: given.channel });
  const snapshot = organization.snapshot();
  const { directory } = snapshot;
  const shown = [given.channel, given.person];
  const contents = (notices: readonly Notice[]): string[] => notices.map(({ content }) => content);
  const notices = (event: NoticedEvent): string[] =>
    contents(noticesFor(recorded(event, actorId), directory, []));
  const move: MoveDocument = {
    _id: '1:0',
    eventId: 'event',
    kind: 'move',
    userId: actorId,
    timestamp: 0,
    channelId,
    topic: given.topic,
    newChannelId: channelId,
    newTopic: 'elsewhere',
    editId: null,
    moved: { count: 3, firstMessageId: 41, lastMessageId: 50 },
    isWhole: true,
    targetWasEmpty: true,
    position: 7,
    outdatedNoticeId: null,
  };
  const moved: MoveEvent = {
    type: 'MessagesMoved',
    data: {
      messageId: 41,
      mode: 'change_all',
      selection: { channelId, topic: given.topic, bounds: { after: 0, through: null }, visible: null },
      newTopic: 'elsewhere',
      newChannel: null,
      notify: { oldThread: false, newThread: true },
    },
  };
  const told = {
    event: recorded(moved, actorId),
    move,
    directory,
    markReadOnArrival: { everyone: true, except: [] },
  };
  const remembered = {
    _id: 9,
    channelId,
    topic: given.topic,
    participantIds: null,
    senderId: actorId,
    content: 'x',
  };
  const renaming = { channelId, name: given.channel, previousName: given.former };
  const joining = {
    channelId,
    userIds: [reader],
    afterMessageId: 0,
    color: null,
    notify: true,
    continuation: [],
  };
  const description = { channelId, description: `Look, ${given.topic}`, previousDescription: given.former };
  return {
    snapshot,
    said: [
      ...notices({ type: 'ChannelRenamed', data: renaming }).map((text): Said => [
        text,
        [...shown, given.former],
      ]),
      ...notices({ type: 'UsersSubscribed', data: joining }).map((text): Said => [text, shown]),
      // A description is Markdown and is rendered as such, but must not mention anyone.
      ...notices({ type: 'ChannelDescriptionChanged', data: description }).map((text): Said => [text, []]),
      ...contents(noticesOfMove(told)).map((text): Said => [text, [...shown, given.topic]]),
      [`Who may: ${groupSettingName(directory, groupId)}`, [given.group]],
      [reminderText(remembered, '', { snapshot }), [...shown, given.topic]],
      [welcomeText({ name: given.organization }), [given.organization]],
      [
        joinedNotice(organization.user(actorId), { name: given.organization }),
        [given.organization, given.person],
      ],
    ],
  };
}

function recorded<Event extends NoticedEvent | MoveEvent>(
  event: Event,
  actorId: number,
): RecordedEvent<Event> {
  return new TestLog().append('channel-1', [event], { actorId })[0]!;
}

function textOf(nodes: readonly HtmlTree[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('names in what the server says', () => {
  it('are shown unchanged, with any characters, and notify nobody', () => {
    fc.assert(
      fc.property(names, (given) => {
        const { snapshot, said } = saidOf(given);
        expect(said.length).toBeGreaterThanOrEqual(8);
        for (const [content, shows] of said) {
          const sender = snapshot.directory.user(1)!;
          const recipient = { type: 'channel', channelId: 1, topic: 'events' } as const;
          const writing = { snapshot, sender, recipient, topicParticipantIds: [], uploads: noUploads };
          const { references, mentions } = composeText(content, writing);
          const flagged = { ...mentions, topicParticipantIds: undefined };
          expect(flagged).toEqual({ userIds: [], groups: [], channelWildcard: false, topicWildcard: false });
          if (shows.length === 0) continue;
          const { html } = renderMarkdown(content, references);
          const text = oneLine(textOf(htmlTree(html)));
          for (const name of shows) expect(text).toContain(oneLine(name));
          const links = elementsOf(html).filter(({ tag }) => tag === 'a');
          expect(
            links.map(({ attributes }) => attributes['href']).filter((href) => !/^\/?#narrow/.test(href!)),
          ).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('stay readable in the source where they are ordinary', () => {
    expect(plainMarkdown('Release 2.0 – Ada’s team (north)')).toBe('Release 2.0 – Ada’s team (north)');
    expect(plainMarkdown('big @**all**')).toBe('big &#64;&#42;&#42;all&#42;&#42;');
  });

  it('in descriptions are silent in the source, too', () => {
    const { said } = saidOf({
      channel: 'a',
      former: '@**all**',
      topic: '@*crew*',
      group: 'crew',
      person: 'Cy',
      organization: 'o',
    });
    const [text = ''] = said.map(([content]) => content).filter((content) => content.includes('description'));
    expect(text).toContain('@_**all**');
    expect(text).toContain('@_*crew*');
    expect(text).not.toMatch(/@\*/);
  });
});
