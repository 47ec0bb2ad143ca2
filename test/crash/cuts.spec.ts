import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CreateChannel, CreateChannelHandler } from '../../src/contexts/channels/commands/channels.js';
import { SubscribeUsers, SubscribeUsersHandler } from '../../src/contexts/channels/commands/subscriptions.js';
import { LoginAttempts } from '../../src/http/limits/login-attempts.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { resetOwnerKey } from '../../src/node/owner-key.js';
import {
  AcceptInvitation,
  AcceptInvitationHandler,
} from '../../src/contexts/invitations/commands/joining.js';
import {
  SendInvitations,
  SendInvitationsHandler,
} from '../../src/contexts/invitations/commands/invitations.js';
import { JoinLinks } from '../../src/contexts/invitations/join-links.js';
import { InvitationPolicy } from '../../src/contexts/invitations/validity.js';
import { LinkTokens } from '../../src/stores/key-store/link-tokens.js';
import { PublicAddress } from '../../src/http/public-address.js';
import { emailGateway } from '../../src/access/system-bots.js';
import { CreateBot, CreateBotHandler, type CreatedBot } from '../../src/contexts/users/commands/bots.js';
import { CreateUserGroup, CreateUserGroupHandler } from '../../src/contexts/users/commands/user-groups.js';
import {
  DeactivateUser,
  DeactivateUserHandler,
  ReactivateUser,
  ReactivateUserHandler,
} from '../../src/contexts/users/commands/users.js';
import { Admission } from '../../src/contexts/users/admission.js';
import { LogIn, LogInHandler } from '../../src/contexts/users/commands/log-in.js';
import { RegenerateApiKey, RegenerateApiKeyHandler } from '../../src/contexts/users/commands/api-keys.js';
import type { Directory } from '../../src/access/directory.js';
import { eventually } from '../support/eventually.js';
import { owner } from '../support/people-node.js';
import { openTemporaryStores } from '../support/temporary-stores.js';
import { cutEverywhere } from './support/cut-everywhere.js';
import { readWholeLog } from './support/log-faults.js';
import { Life, PowerCutError } from './support/mortal-stores.js';
import { NodeProcess, site } from './support/node-process.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';

/** Id of the first account beside those that a new organization has. */
const newcomerId = emailGateway.id + 1;

const email = 'bo@example.com';
const password = 'correct horse';
const origin = { address: '192.0.2.7', client: 'test' };

async function createChannel(process: NodeProcess, name: string, isDefault = false): Promise<number> {
  const settings = { ...defaultChannelSettings, isDefault };
  const request = { name, description: '', subscriberIds: [owner.userId], settings, announce: false };
  const handler = new CreateChannelHandler(process.decisions, process.principals);
  const id = await handler.execute(new CreateChannel(owner, request));
  await untilKnown(process, (directory) => directory.channel(id) !== null);
  return id;
}

async function createGroup(process: NodeProcess): Promise<number> {
  const request = {
    name: 'crew',
    description: '',
    memberIds: [owner.userId],
    subgroupIds: [],
    permissions: {},
  };
  const handler = new CreateUserGroupHandler(process.decisions);
  const id = await handler.execute(new CreateUserGroup(owner, request));
  await untilKnown(process, (directory) => directory.group(id) !== null);
  return id;
}

/** The process's decisions reply before its directory includes what was decided. */
async function untilKnown(
  { people }: NodeProcess,
  isKnown: (directory: Directory) => boolean,
): Promise<void> {
  await eventually(() => Promise.resolve(isKnown(people.follower.current())), Boolean);
}

function createBot({ people }: NodeProcess, ownerId = owner.userId): Promise<CreatedBot> {
  const { decisions, emails, credentials } = people;
  const handler = new CreateBotHandler(
    decisions,
    emails,
    credentials,
    new PublicAddress(site),
    people.records,
  );
  const defaults = { sendingChannel: null, registeringChannel: null, allPublicChannels: null };
  const request = { shortName: 'ticker', fullName: 'Ticker', type: 1, defaults };
  return handler.execute(new CreateBot({ ...owner, userId: ownerId }, request));
}

async function logIn({ people, clock }: NodeProcess): Promise<string> {
  const { follower, emails, credentials, decisions, secondFactors } = people;
  const attempts = new LoginAttempts({ rateLimitPerMinute: 0 }, clock);
  const admission = new Admission(credentials, decisions, people.records, people.failures);
  const handler = new LogInHandler(
    follower,
    emails,
    credentials,
    attempts,
    admission,
    people.failures,
    secondFactors,
  );
  return (await handler.execute(new LogIn({ username: email, password }, origin))).apiKey;
}

function deactivate({ people }: NodeProcess, userId: number): Promise<void> {
  const handler = new DeactivateUserHandler(people.renewals);
  return handler.execute(new DeactivateUser(owner, userId));
}

function reactivate({ people, stores }: NodeProcess, userId: number): Promise<void> {
  const handler = new ReactivateUserHandler(people.renewals, stores.vault);
  return handler.execute(new ReactivateUser(owner, userId));
}

function regenerate({ people }: NodeProcess, userId: number): Promise<string> {
  const handler = new RegenerateApiKeyHandler(people.renewals);
  return handler.execute(new RegenerateApiKey({ ...owner, userId }, userId));
}

async function letsIn({ people }: NodeProcess, address: string, key: string): Promise<boolean> {
  return people.authenticator.authenticate(address, key).then(
    () => true,
    () => false,
  );
}

async function eventsOf({ stores }: NodeProcess, type: string): Promise<readonly RecordedEvent[]> {
  return (await readWholeLog(stores)).events.filter((event) => event.type === type);
}

function subscribers({ people }: NodeProcess, channelIds: readonly number[]): (readonly number[])[] {
  return channelIds.map((id) => people.follower.current().subscriberIds(id));
}

async function ownerFile({ stores }: NodeProcess): Promise<{ email: string; key: string }> {
  const text = await readFile(join(stores.directory, 'owner.zuliprc'), 'utf8');
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { email: field('email'), key: field('key') };
}

/** An account's id, its live key, and its bot with that one's key. */
interface PersonWithBot {
  readonly userId: number;
  readonly key: string;
  readonly bot: CreatedBot;
}

async function personWithBot(process: NodeProcess): Promise<PersonWithBot> {
  const userId = await process.people.createUser(email, password);
  return { userId, key: await logIn(process), bot: await createBot(process, userId) };
}

function joinLinks({ stores }: NodeProcess): JoinLinks {
  return new JoinLinks(new LinkTokens(stores.vault), new PublicAddress(site));
}

/** Invites somebody to a channel and a group, and answers the token of the link. */
async function invite(process: NodeProcess, channelIds: number[], groupIds: number[]): Promise<string> {
  const policy = new InvitationPolicy(60, 0);
  const handler = new SendInvitationsHandler(process.decisions, process.people.emails, policy);
  const terms = { role: 400, channelIds, groupIds, includeDefaultChannels: false } as const;
  const request = { terms, validity: null, welcomeText: 'Hi!', addresses: email, notifyInviter: true };
  await handler.execute(new SendInvitations(owner, request));
  return joinLinks(process).toInvitation(1).split('/').at(-1)!;
}

async function accept(process: NodeProcess, token: string): Promise<string> {
  const { people, invitations, decisions, admission, stores } = process;
  const { credentials } = people;
  const handler = new AcceptInvitationHandler(
    invitations,
    decisions,
    joinLinks(process),
    credentials,
    people.passwords,
    admission,
    stores.log,
    people.records,
  );
  const request = { token, fullName: 'Bo', password };
  return (await handler.execute(new AcceptInvitation(request, origin))).apiKey;
}

const botEmail = 'ticker-bot@palimpsest.localhost';

async function keysThatLetIn(process: NodeProcess, { key, bot }: PersonWithBot): Promise<string[]> {
  return [
    ...((await letsIn(process, email, key)) ? ['person'] : []),
    ...((await letsIn(process, botEmail, bot.apiKey)) ? ['bot'] : []),
  ];
}

describe('Cut off before any of its durable writes,', () => {
  it('a registration is absent, or is there with its default channels, and asking again finishes it', async () => {
    const writes = await cutEverywhere({
      given: async (process) => [
        await createChannel(process, 'hall', true),
        await createChannel(process, 'lobby', true),
      ],
      when: (process) => process.people.createUser(email, password),
      then: async (process, channelIds) => {
        const again = process.people.createUser(email, password);
        const refusal = await again.then(
          () => null,
          (error: unknown) => (error as Error).message,
        );
        expect([null, 'Email is already in use']).toContain(refusal);
        await process.untilReactorsPassed();
        expect(await logIn(process)).toHaveLength(32);
        expect(await eventsOf(process, 'UserRegistered')).toHaveLength(newcomerId);
        expect(subscribers(process, channelIds)).toEqual([
          [owner.userId, newcomerId],
          [owner.userId, newcomerId],
        ]);
        expect(await eventsOf(process, 'UsersSubscribed')).toHaveLength(2);
      },
    });
    expect(writes).toEqual(expect.arrayContaining(['putIfAbsent', 'append', 'addPasswordHash']));
    expect(writes.filter((write) => write === 'append')).toHaveLength(3);
  });

  it('a bot is absent, or its owner can give it a key', async () => {
    const writes = await cutEverywhere({
      given: () => Promise.resolve(null),
      when: (process) => createBot(process),
      then: async (process) => {
        const bot = process.people.follower.current().user(newcomerId);
        if (bot === null) return void expect((await createBot(process)).userId).toBe(newcomerId);
        const handler = new RegenerateApiKeyHandler(process.people.renewals);
        const key = await handler.execute(new RegenerateApiKey(owner, bot.id));
        expect(await letsIn(process, botEmail, key)).toBe(true);
      },
    });
    expect(writes).toEqual(expect.arrayContaining(['append', 'addApiKey']));
  });

  it('a first log-in can be repeated, and joins the person once', async () => {
    const writes = await cutEverywhere({
      given: (process) => process.people.createUser(email, password),
      when: logIn,
      then: async (process) => {
        expect(await letsIn(process, email, await logIn(process))).toBe(true);
        expect(await eventsOf(process, 'UserFirstLoggedIn')).toHaveLength(1);
      },
    });
    expect(writes).toEqual(expect.arrayContaining(['append', 'addApiKey']));
  });

  it('a deactivation shuts out the person and their bots, or none of them, and their old keys never come back', async () => {
    const writes = await cutEverywhere({
      given: personWithBot,
      when: (process, { userId }) => deactivate(process, userId),
      then: async (process, given) => {
        const { userId, bot } = given;
        const isActive = process.people.follower.current().user(userId)?.isActive ?? false;
        expect(await keysThatLetIn(process, given)).toEqual(isActive ? ['person', 'bot'] : []);
        if (isActive) await deactivate(process, userId);
        for (const id of [userId, bot.userId]) await reactivate(process, id);
        expect(await keysThatLetIn(process, given)).toEqual([]);
      },
    });
    expect(writes.filter((write) => write === 'revokeApiKeys')).toHaveLength(2);
  });

  it('a renewal of keys leaves the old one or none, and asking again makes the only one', async () => {
    await cutEverywhere({
      given: personWithBot,
      when: (process, { userId }) => regenerate(process, userId),
      then: async (process, { userId, key }) => {
        const renewed = await regenerate(process, userId);
        expect(await letsIn(process, email, renewed)).toBe(true);
        expect(await letsIn(process, email, key)).toBe(false);
        expect(await process.stores.credentialStore.apiKeys(userId)).toHaveLength(1);
      },
    });
  });

  it('a reset of the owner’s key leaves a file whose key lets the owner in, and nothing that says otherwise', async () => {
    const writes = await cutEverywhere({
      given: ownerFile,
      when: (process) => resetOwnerKey(process.ownerKey, site),
      then: async (process, old, cut) => {
        const now = await ownerFile(process);
        expect(await letsIn(process, now.email, now.key)).toBe(true);
        const isReset = now.key !== old.key;
        expect(await letsIn(process, old.email, old.key)).toBe(!isReset);
        expect(await eventsOf(process, 'ApiKeyRegenerated')).toHaveLength(isReset ? 1 : 0);
        if (cut === null) expect(isReset).toBe(true);
      },
    });
    expect(writes).toEqual(expect.arrayContaining(['append', 'revokeApiKeys']));
  });

  it('joining channels that exist beside one that is made is done as a whole, or not, and told once', async () => {
    const writes = await cutEverywhere({
      given: async (process) => {
        const userId = await process.people.createUser(email, password);
        return { userId, channelIds: [await createChannel(process, 'a'), await createChannel(process, 'b')] };
      },
      when: (process, { userId }) => {
        const { decisions, principals, channels, completion } = process;
        const handler = new SubscribeUsersHandler(decisions, principals, channels, completion);
        const names = ['new', 'a', 'b'].map((name) => ({ name, description: '', color: null }));
        const flags = { announce: false, notify: true, refusalIsFatal: true };
        const request = { channels: names, settings: defaultChannelSettings, principals: [userId], ...flags };
        return handler.execute(new SubscribeUsers(owner, request));
      },
      then: async (process, { userId, channelIds }) => {
        const isDone = [...process.people.follower.current().channels()].length === 3;
        expect(subscribers(process, channelIds)).toEqual(
          channelIds.map(() => (isDone ? [owner.userId, userId] : [owner.userId])),
        );
        const notices = (await eventsOf(process, 'MessageSent')).map(
          ({ data }) => data as { recipient: object },
        );
        const [told, ...more] = notices.filter(({ recipient }) => 'userIds' in recipient);
        expect(more).toEqual([]);
        expect(told !== undefined).toBe(isDone);
        expect(notices.filter(({ recipient }) => 'topic' in recipient)).toHaveLength(isDone ? 3 : 2);
      },
    });
    expect(writes.filter((write) => write === 'append').length).toBeGreaterThanOrEqual(5);
  });
});

describe('Cut off before any of its durable writes, joining by an invitation', () => {
  it('makes no account, or one that has all that was promised, once, and asking again lets in', async () => {
    const writes = await cutEverywhere({
      given: async (process) => {
        const channelIds = [await createChannel(process, 'a'), await createChannel(process, 'b')];
        const groupId = await createGroup(process);
        return { channelIds, groupId, token: await invite(process, channelIds, [groupId]) };
      },
      when: (process, { token }) => accept(process, token),
      then: async (process, { channelIds, groupId, token }, cut) => {
        const { directory } = { directory: process.people.follower.current() };
        const isMade = directory.user(newcomerId) !== null;
        const joined = isMade ? [owner.userId, newcomerId] : [owner.userId];
        expect(subscribers(process, channelIds)).toEqual([joined, joined]);
        expect(directory.group(groupId)?.memberIds).toEqual(joined);
        if (cut !== null) {
          const key = await accept(process, token).catch((error: unknown) => (error as Error).message);
          // The password was there already when only the key was missing.
          const refusal = 'This invitation link is not valid, or not any more.';
          const lets = key === refusal ? await logIn(process) : key;
          expect(await letsIn(process, email, lets)).toBe(true);
        }
        await process.untilReactorsPassed();
        for (const type of ['InvitationAccepted', 'UserGroupMembersChanged']) {
          expect(await eventsOf(process, type)).toHaveLength(1);
        }
        expect(await eventsOf(process, 'UsersSubscribed')).toHaveLength(2);
        const direct = (await eventsOf(process, 'MessageSent')).filter(
          ({ data }) => 'userIds' in (data as { recipient: object }).recipient,
        );
        expect(direct.map(({ data }) => (data as { content: string }).content)).toEqual([
          expect.stringContaining('welcome to Engines'),
          'Hi!',
          `@_**Bo|${newcomerId}** accepted your invitation to join Engines!`,
        ]);
      },
    });
    expect(writes).toEqual(expect.arrayContaining(['append', 'addPasswordHash', 'destroy', 'addApiKey']));
  });
});

describe('A first start that is cut off before any of its durable writes', () => {
  it('is finished by the next one: one organization, one owner, one key that lets them in', async () => {
    for (let writes = 0, died = true; died; writes += 1) {
      let stores = await openTemporaryStores();
      const life = new Life();
      life.end(writes);
      const doomed = await NodeProcess.start(stores, life).catch((error: unknown) => {
        if (!(error instanceof PowerCutError)) throw error;
      });
      died = life.isOver;
      life.end(0);
      await doomed?.stop();
      stores = await stores.reopen();
      const next = await NodeProcess.start(stores);
      const { email: address, key } = await ownerFile(next);
      expect(await letsIn(next, address, key)).toBe(true);
      const types = (await readWholeLog(stores)).events.map(({ type }) => type);
      expect(types).toEqual([
        'OrganizationCreated',
        ...Array.from({ length: 8 }, () => 'UserGroupCreated'),
        ...Array.from({ length: 4 }, () => 'UserRegistered'),
      ]);
      await next.stop();
      await stores.dispose();
    }
  });
});
