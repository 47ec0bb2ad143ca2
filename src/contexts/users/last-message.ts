/** What the context of messages knows of a person's; provided by it. */
export abstract class LastMessage {
  /** Id of the last message that the person received; -1 when there is none (specification, "Own user"). */
  abstract lastReceivedMessageId(userId: number): Promise<number>;
}
