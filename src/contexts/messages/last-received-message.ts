import { Injectable } from '@nestjs/common';
import { LastMessage } from '../users/queries/users.js';
import { MessageReader } from './message-reader.js';

/** Finds the last message that reached a person, whether or not the person may still read it. */
@Injectable()
export class LastReceivedMessage extends LastMessage {
  constructor(private readonly messages: MessageReader) {
    super();
  }

  override async lastReceivedMessageId(userId: number): Promise<number> {
    const session = await this.messages.open({ userId });
    return (await session.latestEver())?._id ?? -1;
  }
}
