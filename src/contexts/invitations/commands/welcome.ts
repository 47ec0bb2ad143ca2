import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NoticeSender } from '../../channels/notices.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Caller } from '../../../http/caller.js';
import { isLongerThan } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { MAX_WELCOME_TEXT_LENGTH } from '../inviting.decide.js';

/** Sends an administrator the message that the welcome bot sends to new people. Returns the message's id. */
export class TestWelcome extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly text: string,
  ) {
    super();
  }
}

@CommandHandler(TestWelcome)
export class TestWelcomeHandler implements ICommandHandler<TestWelcome> {
  constructor(
    private readonly notices: NoticeSender,
    private readonly follower: DirectoryFollower,
  ) {}

  /** @throws ApplicationError `administratorRequired`, `welcomeTextRequired`, `welcomeTextTooLong` */
  async execute({ caller: { userId }, text }: TestWelcome): Promise<number> {
    const user = this.follower.current().user(userId);
    if (user === null || !isAdministrator(user)) throw failure('administratorRequired');
    const content = text.trim();
    if (content === '') throw failure('welcomeTextRequired');
    if (isLongerThan(content, MAX_WELCOME_TEXT_LENGTH)) throw failure('welcomeTextTooLong');
    return this.notices.send({ from: 'welcome', to: { userIds: [userId] }, content, causationId: null });
  }
}
