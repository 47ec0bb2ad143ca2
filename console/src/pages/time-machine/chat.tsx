import { Badge, Group } from '@mantine/core';
import { Link } from 'wouter';
import { Rendered } from '../../components/rendered.js';
import { Time } from '../../components/time.js';
import type { PastMessage } from './past.js';

/** Messages as in a chat, with the topic where it changes. */
export function Chat({
  messages,
  hasTopics,
}: {
  readonly messages: readonly PastMessage[];
  readonly hasTopics: boolean;
}) {
  return (
    <ol className="chat">
      {messages.map((message, index) => (
        <li key={message.id}>
          {hasTopics && message.topic !== messages[index - 1]?.topic && (
            <p className="chat-topic">{message.topic === '' ? 'general chat' : message.topic}</p>
          )}
          <Said message={message} />
        </li>
      ))}
    </ol>
  );
}

/** One past message. */
export function Said({ message }: { readonly message: PastMessage }) {
  const { id, sender_id, sender_name, timestamp, rendered_content, reactions } = message;
  return (
    <article className="said" data-message={id}>
      <Group gap="xs" className="said-head">
        <strong>{sender_name ?? `Account ${sender_id}`}</strong>
        {timestamp !== null && <Time at={timestamp * 1000} />}
        <Link href={`/messages/${id}`} className="said-link">
          Message {id}
        </Link>
        <Marks message={message} />
      </Group>
      {rendered_content === null ? <p>What it said cannot be read.</p> : <Rendered html={rendered_content} />}
      {reactions.length > 0 && (
        <Group gap={6} component="ul" className="reactions" aria-label="Reactions">
          {reactions.map(({ emoji_name, user_ids }) => (
            <li key={emoji_name}>
              <Badge variant="default" radius="sm" tt="none">
                {emoji_name} {user_ids.length}
              </Badge>
            </li>
          ))}
        </Group>
      )}
    </article>
  );
}

function Marks({ message: { edits, erased, sight, since } }: { readonly message: PastMessage }) {
  const marks = [
    ...(edits > 0 ? ['edited by then'] : []),
    ...(sight === 'historical' ? ['seen as history'] : []),
    ...(erased ? ['erased'] : []),
    ...(since.edited ? ['edited since'] : []),
    ...(since.moved ? ['moved since'] : []),
    ...(since.deleted ? ['deleted since'] : []),
  ];
  return marks.map((mark) => (
    <span key={mark} className={mark.endsWith('since') || mark === 'erased' ? 'mark strong' : 'mark'}>
      {mark}
    </span>
  ));
}
