import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import { createSecretKey } from 'node:crypto';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { on } from '../../src/kernel/event-handlers.js';
import { LinkTokens } from '../../src/stores/key-store/link-tokens.js';
import { Vault } from '../../src/stores/key-store/vault.js';
import { EmailTemplates, mailedEvents, type OutgoingEmail } from '../../src/contexts/mail/email.js';
import { DeliverMail, type MailReader } from '../../src/contexts/mail/jobs.js';
import { decideOutcome, isDue } from '../../src/contexts/mail/delivery.decide.js';
import { deliveryFold, mailStream, type Delivery } from '../../src/contexts/mail/delivery.state.js';
import type { MailEvent } from '../../src/events/mail.js';
import { UserDeactivated } from '../../src/events/deactivation.js';
import type { WaitingEmailDocument } from '../../src/contexts/mail/read-model.js';
import { MailNotSentError, MailTransport } from '../../src/contexts/mail/mail-transport.js';
import { commandIdOf } from '../../src/stores/event-store/event-id.js';
import { EventStoreUnavailableError } from '../../src/stores/event-store/port.js';
import { decisionsOver } from '../support/decisions-over.js';
import { atTheTime, TestLog } from '../support/given.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { MemoryKeyStore } from './memory-key-store.js';
import { standIn } from '../support/stand-in.js';

const now = atTheTime;
const hour = 3_600_000;
const letterId = 'cause';

function after(...events: readonly MailEvent[]): Delivery {
  const log = new TestLog();
  log.append(mailStream(letterId), events);
  return log.fold<Delivery, MailEvent>(deliveryFold, mailStream(letterId));
}

const postponed = (retryAt = now): MailEvent => ({
  type: 'MailPostponed',
  data: { letterId, retryAt, reason: 'ECONNREFUSED' },
});
const sent: MailEvent = { type: 'MailSent', data: { letterId } };
const failed = { letterId, outcome: { type: 'failed', reason: '451' } } as const;

describe('an e-mail that could not be sent', () => {
  it.each([
    [0, 1000],
    [1, 2000],
    [5, 32_000],
    [11, 2_048_000],
    [12, hour],
    [40, hour],
  ])('is, after %d earlier attempts, tried again in %d milliseconds', (count, pause) => {
    const delivery = after(...Array.from({ length: count }, () => postponed()));
    expect(decideOutcome(delivery, failed, { requestedAt: now, now })).toEqual([
      { type: 'MailPostponed', data: { letterId, retryAt: now + pause, reason: '451' } },
    ]);
  });

  it('is not due before that', () => {
    expect(isDue(after(postponed(now + 1000)), now + 999)).toBe(false);
    expect(isDue(after(postponed(now + 1000)), now + 1000)).toBe(true);
  });

  it('is given up after three days, or at once when it was refused for good', () => {
    const abandoned = [{ type: 'MailAbandoned', data: { letterId, reason: '451' } }];
    expect(decideOutcome(after(), failed, { requestedAt: now - 72 * hour, now })).toEqual(abandoned);
    const refused = { letterId, outcome: { type: 'refused', reason: '451' } } as const;
    expect(decideOutcome(after(), refused, { requestedAt: now, now })).toEqual(abandoned);
  });

  it('is over once it was sent, whatever comes of a later attempt', () => {
    expect(isDue(after(sent), now)).toBe(false);
    expect(decideOutcome(after(sent), failed, { requestedAt: now, now })).toEqual([]);
  });
});

describe('events that want an e-mail', () => {
  it('are in the catalog', () => {
    const known = new Set(eventCatalog.definitions.map(({ type }) => type));
    expect(mailedEvents.filter(({ type }) => !known.has(type))).toEqual([]);
  });

  it('have one writer each', () => {
    const templates = new EmailTemplates();
    const writer = on(UserDeactivated, () => Promise.resolve(null));
    templates.add(writer);
    expect(() => templates.add(writer)).toThrow('Two handlers of UserDeactivated');
    expect(templates.occasions).toEqual(['UserDeactivated']);
  });
});

describe('the token of a link', () => {
  const key = (byte: number): ReturnType<typeof createSecretKey> => createSecretKey(Buffer.alloc(32, byte));
  const tokensUnder = (byte: number): LinkTokens => {
    const serverKey = { wrapping: key(1), lookup: key(2), credentials: key(3), links: key(byte) };
    return new LinkTokens(new Vault({ keyStore: new MemoryKeyStore(), serverKey }));
  };
  const tokens = tokensUnder(4);

  it('opens what it was issued for, and may stand in a path', () => {
    const token = tokens.issue('invitation', '12:3');
    expect(token).toMatch(/^[\w.-]+$/);
    expect(tokens.open('invitation', token)).toBe('12:3');
  });

  it('opens nothing else', () => {
    const token = tokens.issue('invitation', '12:3');
    const [, digest] = token.split('.');
    expect(tokens.open('password-reset', token)).toBeNull();
    expect(tokens.open('invitation', `${Buffer.from('13:3').toString('base64url')}.${digest}`)).toBeNull();
    expect(tokens.open('invitation', `${token}.`)).toBeNull();
    expect(tokens.open('invitation', token.slice(0, -1))).toBeNull();
    expect(tokens.open('invitation', '')).toBeNull();
    expect(tokensUnder(5).open('invitation', token)).toBeNull();
  });
});

/** Fails when the test says so, and records what it was given. */
class FailingTransport extends MailTransport {
  readonly sent: OutgoingEmail[] = [];
  readonly tried: string[] = [];
  failures = new Map<string, MailNotSentError>();

  /** Milliseconds that it takes to accept one. */
  acceptsAfter = 0;

  override async send(email: OutgoingEmail): Promise<void> {
    this.tried.push(email.to);
    const failure = this.failures.get(email.to);
    if (failure !== undefined) throw failure;
    if (this.acceptsAfter > 0) await new Promise((resolve) => setTimeout(resolve, this.acceptsAfter));
    this.sent.push(email);
  }

  override subjects(): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  override forget(): Promise<void> {
    return Promise.resolve();
  }

  override close(): void {}
}

describe('the delivery of e-mails', () => {
  let stores: TemporaryStores;
  let transport: FailingTransport;
  let causes: RecordedEvent[];
  let unwanted: Set<string>;
  let time: number;
  const clock = { now: () => time };

  beforeEach(async () => {
    stores = await openTemporaryStores();
    transport = new FailingTransport();
    unwanted = new Set();
    time = now;
    causes = [...(await requested('ada', 'bo', 'cy'))];
  });

  afterEach(() => stores.dispose());

  /** Events that want e-mails: any event can be the reason of one. */
  async function requested(...names: readonly string[]): Promise<readonly RecordedEvent[]> {
    const groups = names.map((name) => ({ type: 'UserDeactivated', data: { userId: name.charCodeAt(0) } }));
    const metadata = {
      actorId: null,
      commandId: commandIdOf(names),
      causationId: null,
      client: 'test',
      at: now,
    };
    const { events } = await stores.log.append({ stream: 'users', expected: 'any' }, groups, metadata);
    return events;
  }

  const addressOf = (event: RecordedEvent): string =>
    `${String.fromCharCode((event.data as { userId: number }).userId)}@example.com`;

  /** Like a process that has just started, whose read model still contains every e-mail as waiting. */
  function starting(ownerOf: (id: string) => number | undefined = () => undefined): DeliverMail {
    const waiting = ({ id, stream, revision }: RecordedEvent): WaitingEmailDocument => {
      return { _id: id, stream, revision, owner: ownerOf(id) ?? stream, requestedAt: now, dueAt: now };
    };
    const reader = standIn<MailReader>({ due: () => Promise.resolve(causes.map(waiting)) });
    const templates = new EmailTemplates();
    templates.add(
      on(UserDeactivated, async (event) =>
        unwanted.has(event.id)
          ? null
          : { to: addressOf(event), subject: 'Farewell', text: 'Goodbye', html: '<p>Goodbye</p>', about: [] },
      ),
    );
    const sender = { address: () => 'noreply@example.com' };
    const streams = new FoldedStreams(stores.log);
    const logger = { warn: () => undefined };
    return new DeliverMail(
      reader,
      templates,
      transport,
      sender as never,
      stores.log,
      decisionsOver(streams),
      clock,
      logger,
    );
  }

  const recordOf = async (event: RecordedEvent): Promise<string[]> =>
    (await stores.log.readStream(mailStream(event.id), { from: 0, limit: 10 })).map(({ type }) => type);

  it('sends each once, over however many starts', async () => {
    await starting().perform();
    await starting().perform();
    expect(transport.sent.map(({ to, id, date }) => [to, id, date])).toEqual(
      causes.map((event) => [addressOf(event), event.id, now]),
    );
    const [record] = await stores.log.readStream(mailStream(causes[0]!.id), { from: 0, limit: 10 });
    expect(record).toMatchObject({ type: 'MailSent', metadata: { causationId: causes[0]!.id } });
  });

  it('sends the others when one is refused or delayed, and tries the delayed one at its time', async () => {
    transport.failures.set('a@example.com', new MailNotSentError('refused', '550'));
    transport.failures.set('b@example.com', new MailNotSentError('delayed', '451'));
    await starting().perform();
    expect(transport.sent.map(({ to }) => to)).toEqual(['c@example.com']);
    await starting().perform();
    expect(transport.tried).toHaveLength(3);
    time += 1000;
    transport.failures.clear();
    await starting().perform();
    expect(transport.sent.map(({ to }) => to)).toEqual(['c@example.com', 'b@example.com']);
    expect(await Promise.all(causes.map(recordOf))).toEqual([
      ['MailAbandoned'],
      ['MailPostponed', 'MailSent'],
      ['MailSent'],
    ]);
  });

  it('delays only those of somebody who causes many', async () => {
    const [one, two, other] = causes.map(({ id }) => id);
    const owners = new Map([one, two].map((id) => [id, 7]));
    await starting((id) => owners.get(id) ?? 8).perform();
    expect(transport.sent.map(({ id }) => id)).toEqual([one, other, two]);
  });

  it('tries one e-mail a look while the server cannot be reached, each in its turn', async () => {
    for (const cause of causes) {
      transport.failures.set(addressOf(cause), new MailNotSentError('unreachable', 'ECONNREFUSED'));
    }
    await starting().perform();
    expect(transport.tried).toEqual(['a@example.com']);
    await starting().perform();
    expect(transport.tried).toEqual(['a@example.com', 'b@example.com']);
  });

  it('pauses while the server cannot be reached, whoever waits', async () => {
    for (const cause of causes)
      transport.failures.set(addressOf(cause), new MailNotSentError('unreachable', 'ECONNREFUSED'));
    const ids = causes.map(({ id }) => id);
    const delivery = starting((id) => ids.indexOf(id));
    const ticks = jest.spyOn(performance, 'now').mockReturnValue(0);
    await delivery.perform();
    expect(transport.tried).toHaveLength(3);
    // Due at once: only the pause delays it.
    causes.push(...(await requested('di')));
    time += 999;
    ticks.mockReturnValue(999);
    transport.failures.clear();
    await delivery.perform();
    expect(transport.tried).toHaveLength(3);
    time += 1;
    ticks.mockReturnValue(1000);
    await delivery.perform();
    expect(transport.sent).toHaveLength(4);
    ticks.mockRestore();
  });

  it('neither pauses nor ends the round while the server accepts other e-mails, however late it does', async () => {
    transport.failures.set('a@example.com', new MailNotSentError('unreachable', 'ECONNECTION'));
    transport.acceptsAfter = 20;
    const ids = causes.map(({ id }) => id);
    // Of the first owner are two, so that a round that ended at the first would leave the second.
    const delivery = starting((id) => Math.max(1, ids.indexOf(id)));
    await delivery.perform();
    expect(transport.sent.map(({ to }) => to).sort()).toEqual(['b@example.com', 'c@example.com']);
    expect(await recordOf(causes[0]!)).toEqual(['MailPostponed']);
    causes.push(...(await requested('di')));
    await delivery.perform();
    expect(transport.sent.map(({ to }) => to)).toContain('d@example.com');
  });

  it('sends no e-mail again while the log cannot be written, and records it once it can', async () => {
    const unavailable = new EventStoreUnavailableError('The disk of the event log is full', false);
    const unwritable = jest.spyOn(stores.log, 'appendTogether').mockRejectedValue(unavailable);
    const ticks = jest.spyOn(performance, 'now').mockReturnValue(0);
    transport.failures.set('b@example.com', new MailNotSentError('delayed', '451'));
    const ids = causes.map(({ id }) => id);
    const delivery = starting((id) => ids.indexOf(id));
    await expect(delivery.perform()).rejects.toBe(unavailable);
    ticks.mockReturnValue(10_000);
    await expect(delivery.perform()).rejects.toBe(unavailable);
    unwritable.mockRestore();
    ticks.mockReturnValue(20_000);
    await delivery.perform();
    expect(transport.tried).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
    expect(await Promise.all(causes.map(recordOf))).toEqual([['MailSent'], ['MailPostponed'], ['MailSent']]);
    time += 1000;
    transport.failures.clear();
    await delivery.perform();
    expect(transport.sent.map(({ to }) => to).sort()).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
    ticks.mockRestore();
  });

  it('writes to nobody who is not to be written to any more', async () => {
    unwanted.add(causes[1]!.id);
    await starting().perform();
    expect(transport.sent).toHaveLength(2);
    expect(await recordOf(causes[1]!)).toEqual(['MailAbandoned']);
  });
});
