import { expect, it } from '@jest/globals';
import { PostMailHandler, PostMail } from '../../src/contexts/channel-mail/commands/post-mail.js';
import { MailMissedMessages } from '../../src/contexts/missed-messages/jobs/mail-missed-messages.js';
import { PushMissedMessages } from '../../src/contexts/missed-messages/jobs/push-missed-messages.js';
import { DueReminders, DueScheduledMessages } from '../../src/contexts/personal/jobs.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import { JobRunner } from '../../projections/engine/job-runner.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { MemoryReadStore } from '../projection/support/memory-read-store.js';
import { until } from '../projection/support/waiting.js';

const clock = { now: () => 1_000 };

/** A directory as jobs see it, and a read model in which nothing is due. It counts its reads. */
function organization(): {
  isDeactivated: boolean;
  looks: number;
  readonly collection: () => Promise<object>;
} {
  const world = {
    isDeactivated: true,
    looks: 0,
    collection: () => {
      world.looks += 1;
      return Promise.resolve({ find: () => Promise.resolve([]) });
    },
  };
  return world;
}

type World = ReturnType<typeof organization>;
const follower = (world: World): never => ({ current: () => world }) as never;
const decisions = (world: World): never => ({ snapshot: () => ({ directory: world, now: 1_000 }) }) as never;
const nothing = {} as never;

it.each([
  [
    'scheduled messages',
    (world: World) =>
      new DueScheduledMessages(
        { scheduledMessages: world.collection } as never,
        decisions(world),
        nothing,
        clock,
      ),
  ],
  [
    'reminders',
    (world: World) => new DueReminders({ reminders: world.collection } as never, decisions(world), clock),
  ],
  [
    'e-mails about missed messages',
    (world: World) =>
      new MailMissedMessages({ mails: world.collection } as never, nothing, follower(world), clock),
  ],
  [
    'push notifications',
    (world: World) =>
      new PushMissedMessages(
        { pushes: world.collection } as never,
        nothing,
        nothing,
        nothing,
        follower(world),
        clock,
      ),
  ],
])('A deactivated organization keeps its %s until it is active again', async (_what, jobOf) => {
  const world = organization();
  let asked = 0;
  const isDeactivated = (): boolean => {
    asked += 1;
    return world.isDeactivated;
  };
  const options = { processName: 'one', logger: silentLogger, isDeactivated };
  const ending = new AbortController();
  const job = { ...jobOf(world), everyMilliseconds: 1 };
  const running = new JobRunner(new MemoryReadStore(true), job, options).run(ending.signal);
  await until(() => asked > 2);
  expect(world.looks).toBe(0);
  world.isDeactivated = false;
  await until(() => world.looks > 0);
  ending.abort();
  await running;
});

it('A deactivated organization takes no mail for its channels', async () => {
  const world = organization();
  const handler = new PostMailHandler(nothing, nothing, nothing, nothing, follower(world), clock);
  const posted = handler.execute(new PostMail({ channelId: 1, requesterId: 2, senderId: null }, {} as never));
  const refused = await posted.catch((error: unknown) => error);
  expect(refused instanceof ApplicationError && refused.row).toBe('organizationClosed');
});
