import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { handle } from '../../kernel/handle.js';
import { Accounts } from '../users/accounts.js';
import type { ActorAt } from '../users/decisions.js';
import {
  customEmojiFold,
  customEmojiStream,
  type CustomEmojiSet,
} from '../../access/records/custom-emoji.js';
import type { CustomEmojiEvent } from '../../events/custom-emoji.js';

/** Decides about the organization's own emoji, on the stream that guards them. */
@Injectable()
export class CustomEmojiChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly accounts: Accounts,
  ) {}

  /** Appends what a rule makes of the emoji. */
  async decide(
    caller: Caller,
    decide: (set: CustomEmojiSet, by: ActorAt) => readonly CustomEmojiEvent[],
  ): Promise<void> {
    const by = { actor: this.accounts.actor(caller), moment: this.accounts.moment() };
    await handle(this.streams, {
      stream: customEmojiStream,
      fold: customEmojiFold,
      decide: (set) => decide(set, by),
      metadata: requestMetadata(caller, by.moment.now),
    });
  }
}
