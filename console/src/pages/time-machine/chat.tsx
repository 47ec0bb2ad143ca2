import { Badge, Group } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Rendered } from '../../components/rendered.js';
import { topicText } from '../../components/named.js';
import { Time } from '../../components/time.js';
import type { PastMessage } from './past.js';

export interface ChatProps {
  readonly messages: readonly PastMessage[];
  readonly hasTopics: boolean;
  /** The message to show in the middle; null: the newest one, at the end. */
  readonly near: number | null;
  /** The message to mark, which the change at this moment was about; null: none. */
  readonly changed: number | null;
}

/** Messages as in a chat, with the topic where it changes. It scrolls by itself, so that the page stays where it is from step to step. */
export function Chat({ messages, hasTopics, near, changed }: ChatProps) {
  const box = useRef<HTMLDivElement>(null);
  const [first, last] = [messages[0]?.id, messages.at(-1)?.id];
  const shownId = near === null ? null : (messages.find(({ id }) => id >= near)?.id ?? null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const shown = shownId === null ? null : element.querySelector<HTMLElement>(`[data-message="${shownId}"]`);
    element.scrollTop =
      shown === null
        ? element.scrollHeight
        : shown.offsetTop - (element.clientHeight - shown.offsetHeight) / 2;
  }, [shownId, first, last, changed]);
  const isGone = changed !== null && !messages.some(({ id }) => id === changed);
  const following = isGone ? messages.find(({ id }) => id > changed)?.id : undefined;
  return (
    <div ref={box} className="chat-box" role="region" aria-label="Messages" tabIndex={0}>
      <ol className="chat">
        {messages.map((message, index) => (
          <li key={message.id} className={message.id === changed ? 'chat-changed' : undefined}>
            {hasTopics && message.topic !== messages[index - 1]?.topic && (
              <p className="chat-topic">{message.topic !== null && topicText(message.topic)}</p>
            )}
            {message.id === following && <Gone id={changed} />}
            <MessageCard message={message} />
          </li>
        ))}
        {isGone && following === undefined && (
          <li>
            <Gone id={changed} />
          </li>
        )}
      </ol>
    </div>
  );
}

/** The place of a message that was deleted or moved away at this moment. */
function Gone({ id }: { readonly id: number | null }) {
  return <p className="chat-gone">Until this moment, message {id} was here.</p>;
}

/** One past message. */
export function MessageCard({ message }: { readonly message: PastMessage }) {
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
      {rendered_content === null ? <p>Its text cannot be read.</p> : <Rendered html={rendered_content} />}
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
