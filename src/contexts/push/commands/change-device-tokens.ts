import { createHash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { DeviceEvent, tokenKinds } from '../../../events/devices.js';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { DeviceKeys } from '../device-keys.js';
import { tokensOf, type Devices, type DeviceToken } from '../devices.js';
import { PushSender } from '../push-sender.js';

/** A token as a client sends it. */
export interface SentToken {
  readonly kind: (typeof tokenKinds)[number];
  readonly token: string;
}

/** Makes the token of a device known, for notifications that are not encrypted (facts, newer, section C). */
export class AddDeviceToken extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sent: SentToken,
    /** The app that the token is of; null: its maker has no such thing. */
    readonly appId: string | null,
  ) {
    super();
  }
}

/** Forgets the token of a device. */
export class RemoveDeviceToken extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sent: SentToken,
  ) {
    super();
  }
}

/** What a token is known by, outside of the credential store. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}

/** @throws ApplicationError `invalidDeviceToken` */
export function refuseUnusable({ kind, token }: SentToken): void {
  const isText = token.length > 0 && token.length <= budgets.deviceTokenLength.max;
  const isHexadecimal = /^([\da-f]{2})+$/i.test(token);
  if (!isText || (kind === 'apns' && !isHexadecimal)) throw failure('invalidDeviceToken');
}

/** What the person has of the token already; undefined: nothing. */
export function tokenSent(
  state: Devices,
  userId: number,
  { kind, token }: SentToken,
): DeviceToken | undefined {
  const tokenId = tokenIdOf(token);
  return tokensOf(state, userId).find((known) => known.tokenKind === kind && known.tokenId === tokenId);
}

/** A token that is known is not added again. @throws ApplicationError `tooManyDeviceTokens` */
export function decideAddDeviceToken(
  state: Devices,
  sent: SentToken,
  { userId, appId }: Pick<DeviceToken, 'userId' | 'appId'>,
): readonly DeviceEvent[] {
  if (tokenSent(state, userId, sent) !== undefined) return [];
  if (tokensOf(state, userId).length >= budgets.deviceTokens.max) throw failure('tooManyDeviceTokens');
  const deviceId = idAtRevision(state.nextRevision);
  const { kind: tokenKind, token } = sent;
  return [
    { type: 'DeviceTokenAdded', data: { deviceId, userId, tokenKind, tokenId: tokenIdOf(token), appId } },
  ];
}

/** @throws ApplicationError `noSuchDeviceToken` */
export function decideRemoveDeviceToken(
  state: Devices,
  userId: number,
  sent: SentToken,
): readonly DeviceEvent[] {
  const known = tokenSent(state, userId, sent);
  if (known === undefined) throw failure('noSuchDeviceToken');
  return [{ type: 'DeviceTokenRemoved', data: { deviceId: known.deviceId, userId } }];
}

@CommandHandler(AddDeviceToken)
export class AddDeviceTokenHandler implements ICommandHandler<AddDeviceToken> {
  constructor(
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** The token is kept after the event, which gives it its id; a crash between the two is mended by the client, which repeats itself. */
  async execute({ caller, sent, appId }: AddDeviceToken): Promise<void> {
    refuseBots(caller, this.follower);
    refuseUnusable(sent);
    await this.push.decide(requestMetadata(caller, this.clock.now()), (state) =>
      decideAddDeviceToken(state, sent, { userId: caller.userId, appId }),
    );
    const known = tokenSent(await this.push.devices(), caller.userId, sent);
    if (known !== undefined) await this.keys.put({ id: known.deviceId }, Buffer.from(sent.token));
  }
}

@CommandHandler(RemoveDeviceToken)
export class RemoveDeviceTokenHandler implements ICommandHandler<RemoveDeviceToken> {
  constructor(
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  async execute({ caller, sent }: RemoveDeviceToken): Promise<void> {
    refuseBots(caller, this.follower);
    refuseUnusable(sent);
    const known = tokenSent(await this.push.devices(), caller.userId, sent);
    if (known === undefined) throw failure('noSuchDeviceToken');
    await this.keys.remove({ id: known.deviceId });
    await this.push.decide(requestMetadata(caller, this.clock.now()), (state) =>
      decideRemoveDeviceToken(state, caller.userId, sent),
    );
  }
}

function refuseBots({ userId }: Caller, follower: DirectoryFollower): void {
  if (follower.current().user(userId)?.bot !== null) throw failure('botsNotAllowed');
}
