/** The name by which people and the server know the topic without a name. */
const EMPTY_TOPIC = 'general chat';

/** The name of a topic as people read and write it. */
export function topicText(topic: string): string {
  return topic === '' ? EMPTY_TOPIC : topic;
}
