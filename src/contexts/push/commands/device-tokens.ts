import type { Actor } from '../../../access/actor.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedDevices } from '../devices.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { failure } from '../../../kernel/errors.js';
import { DeviceKeys, tokenIdOf } from '../device-keys.js';
import {
  type NamedToken,
  type TokenInput,
  refuseUnusable,
  existingToken,
  decideAddDeviceToken,
  decideRemoveDeviceToken,
} from '../devices.decide.js';

/** Adds the token of a device for notifications that are not encrypted. */
export class AddDeviceToken extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sent: TokenInput,
    /** The app that the token belongs to; null: the device's maker has no such id. */
    readonly appId: string | null,
  ) {
    super();
  }
}

/** Removes the token of a device. */
export class RemoveDeviceToken extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly sent: TokenInput,
  ) {
    super();
  }
}

@CommandHandler(AddDeviceToken)
export class AddDeviceTokenHandler implements ICommandHandler<AddDeviceToken> {
  constructor(
    private readonly decisions: Decisions,
    private readonly keys: DeviceKeys,
  ) {}

  /**
   * The token is stored after the event, which gives it its id; after a crash in between, the client repeats
   * the request.
   */
  async execute({ caller, sent, appId }: AddDeviceToken): Promise<void> {
    const actor = this.decisions.actor(caller);
    refuseBots(actor);
    refuseUnusable(sent);
    const named = namedToken(sent);
    const metadata = requestMetadata(caller, actor.snapshot.now);
    await this.decisions.decideAs(metadata, foldedDevices, (state) =>
      decideAddDeviceToken(state, named, { userId: caller.userId, appId }),
    );
    const known = existingToken(await this.decisions.load(foldedDevices), caller.userId, named);
    if (known !== undefined) await this.keys.put({ id: known.deviceId }, Buffer.from(sent.token));
  }
}

@CommandHandler(RemoveDeviceToken)
export class RemoveDeviceTokenHandler implements ICommandHandler<RemoveDeviceToken> {
  constructor(
    private readonly decisions: Decisions,
    private readonly keys: DeviceKeys,
  ) {}

  /**
   * The token is removed before the event, after which nothing leads to it any more; after a crash in between, the
   * client repeats the request.
   */
  async execute({ caller, sent }: RemoveDeviceToken): Promise<void> {
    const actor = this.decisions.actor(caller);
    refuseBots(actor);
    refuseUnusable(sent);
    const named = namedToken(sent);
    const known = existingToken(await this.decisions.load(foldedDevices), caller.userId, named);
    if (known === undefined) throw failure('noSuchDeviceToken');
    await this.keys.remove({ id: known.deviceId });
    const metadata = requestMetadata(caller, actor.snapshot.now);
    await this.decisions.decideAs(metadata, foldedDevices, (state) =>
      decideRemoveDeviceToken(state, caller.userId, named),
    );
  }
}

function namedToken({ kind: tokenKind, token }: TokenInput): NamedToken {
  return { tokenKind, tokenId: tokenIdOf(token) };
}

function refuseBots({ user: { bot } }: Actor): void {
  if (bot !== null) throw failure('botsNotAllowed');
}
