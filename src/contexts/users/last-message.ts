/** Looks up the last message of a person; implemented by the messages context. */
export abstract class LastMessage {
  /** Id of the last message that the person received; -1 when there is none. */
  abstract lastReceivedMessageId(userId: number): Promise<number>;
}
