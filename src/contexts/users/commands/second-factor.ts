import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '../../../access/records/user.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { LoginAttempts } from '../../../http/limits/login-attempts.js';
import { failure } from '../../../kernel/errors.js';
import { Credentials } from '../credentials.js';
import { SecondFactorChanges, SecondFactors } from '../second-factors.js';
import {
  decideDisableSecondFactor,
  decideEnableSecondFactor,
  decideResetSecondFactor,
} from '../second-factor.decide.js';
import { foldedUsers } from '../users.state.js';

/** Removes the second factor of a person who can no longer use it, and notifies them by e-mail. */
export class ResetSecondFactor extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@CommandHandler(ResetSecondFactor)
export class ResetSecondFactorHandler implements ICommandHandler<ResetSecondFactor> {
  constructor(
    private readonly decisions: Decisions,
    private readonly factors: SecondFactors,
    private readonly changes: SecondFactorChanges,
  ) {}

  /**
   * The event is appended first: if the command is interrupted after it, it can be repeated. It is decided by the
   * accounts, but belongs to the stream of the person, so the decision and the append are two steps.
   */
  async execute({ caller, userId }: ResetSecondFactor): Promise<void> {
    const { isEnabled } = await this.factors.of(userId);
    await this.changes.record(
      decideResetSecondFactor(
        await this.decisions.load(foldedUsers),
        { userId, isEnabled },
        this.decisions.actor(caller),
      ),
      caller,
    );
    await this.factors.remove(userId);
  }
}

/**
 * Creates the secret of a second factor for the caller, who must send their password. Returns the secret,
 * which cannot be read again.
 */
export class BeginSecondFactor extends Command<{ readonly secret: string; readonly uri: string }> {
  constructor(
    readonly caller: Caller,
    readonly password: string,
  ) {
    super();
  }
}

/**
 * Enables the second factor that the caller began, by one of its codes. Returns recovery codes, which cannot
 * be read again.
 */
export class ConfirmSecondFactor extends Command<readonly string[]> {
  constructor(
    readonly caller: Caller,
    readonly code: string,
  ) {
    super();
  }
}

/** Removes the caller's second factor, by one of its codes or a recovery code. */
export class DisableSecondFactor extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly code: string,
  ) {
    super();
  }
}

/**
 * Bots have no password, and so no second factor.
 *
 * @throws ApplicationError `botsNotAllowed`
 */
function personOf(decisions: Decisions, caller: Caller): User {
  const { user } = decisions.actor(caller);
  if (user.bot !== null) throw failure('botsNotAllowed');
  return user;
}

@CommandHandler(BeginSecondFactor)
export class BeginSecondFactorHandler implements ICommandHandler<BeginSecondFactor> {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
    private readonly attempts: LoginAttempts,
    private readonly factors: SecondFactors,
  ) {}

  /** @throws RateLimitError; ApplicationError `botsNotAllowed`, `wrongPassword`, `secondFactorEnabled` */
  async execute({
    caller,
    password,
  }: BeginSecondFactor): Promise<{ readonly secret: string; readonly uri: string }> {
    const { id, email } = personOf(this.decisions, caller);
    this.attempts.begin(id);
    if (!(await this.credentials.isPassword(id, password, `account ${id}`))) throw failure('wrongPassword');
    this.attempts.succeed(id);
    const { organizationName: issuer } = this.decisions.snapshot().directory;
    return this.factors.begin(id, { issuer, account: email });
  }
}

@CommandHandler(ConfirmSecondFactor)
export class ConfirmSecondFactorHandler implements ICommandHandler<ConfirmSecondFactor> {
  constructor(
    private readonly decisions: Decisions,
    private readonly attempts: LoginAttempts,
    private readonly factors: SecondFactors,
    private readonly changes: SecondFactorChanges,
  ) {}

  /**
   * The store decides first, so that only one of two concurrent confirmations succeeds. If the command is
   * interrupted after that, the factor is enabled without an event, but the log never says that a factor is
   * enabled which is not.
   *
   * @throws RateLimitError; ApplicationError `botsNotAllowed`, or those of {@link SecondFactors.confirm}
   */
  async execute({ caller, code }: ConfirmSecondFactor): Promise<readonly string[]> {
    const { id: userId } = personOf(this.decisions, caller);
    this.attempts.begin(userId);
    const codes = await this.factors.confirm(userId, code.replaceAll(/\s/g, ''));
    this.attempts.succeed(userId);
    await this.changes.record(decideEnableSecondFactor(userId), caller);
    return codes;
  }
}

@CommandHandler(DisableSecondFactor)
export class DisableSecondFactorHandler implements ICommandHandler<DisableSecondFactor> {
  constructor(
    private readonly decisions: Decisions,
    private readonly attempts: LoginAttempts,
    private readonly factors: SecondFactors,
    private readonly changes: SecondFactorChanges,
  ) {}

  /** @throws RateLimitError; ApplicationError `botsNotAllowed`, `noSecondFactor`, `secondFactorRequired`, `secondFactorWrong` */
  async execute({ caller, code }: DisableSecondFactor): Promise<void> {
    const { id: userId } = personOf(this.decisions, caller);
    this.attempts.begin(userId);
    const proof = await this.changes.prove(caller, code);
    this.attempts.succeed(userId);
    if (proof === 'none') throw failure('noSecondFactor');
    await this.changes.record(decideDisableSecondFactor(userId), caller);
    await this.factors.remove(userId);
  }
}
