import { Alert, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { count } from '../../components/numbers.js';
import { Rendered } from '../../components/rendered.js';
import { topicText } from '../../components/named.js';
import { TextDiff, type TextChange } from '../../components/text-diff.js';
import { Time } from '../../components/time.js';
import { Audience } from './audience.js';

type Place =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  /** With the ids of all participants. */
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** An event about a message, as `GET /audit/messages/{message_id}/history` returns it. */
export interface Step {
  readonly position: number;
  readonly eventId: string;
  readonly at: number;
  readonly erased: boolean;
  /** Null: the event is not readable. */
  readonly sentence: string | null;
  /** Its text, rendered by the server; null: it has none. */
  readonly renderedContent: string | null;
  /** Whether its texts were omitted, because earlier ones are long. */
  readonly cut?: true;
  readonly change: {
    readonly kind: string;
    readonly content?: string;
    readonly changes?: readonly TextChange[];
    readonly location?: Place;
    readonly to?: Place;
    readonly reason?: string;
  };
}

/** What happened to a message at one moment. */
export function TimelineStep({ step, messageId }: { readonly step: Step; readonly messageId: string }) {
  const { position, at, erased, sentence, change } = step;
  const place = change.location ?? change.to;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Time at={at} />
        <Text size="sm" c="dimmed">
          position <span className="numbers">{count(position)}</span>
        </Text>
      </Group>
      <Text>{sentence ?? `An event that cannot be read: ${change.reason ?? ''}`}</Text>
      {erased && <Alert color="yellow">The text was erased: its key was destroyed.</Alert>}
      <Written step={step} />
      {place !== undefined && (
        <Text size="sm">
          <Link href={`/time-machine?${addressOf(place, position)}`}>
            See the conversation at this moment
          </Link>
        </Text>
      )}
      {change.kind === 'deleted' && <Until position={position} messageId={messageId} />}
      {!withoutAudience.has(change.kind) && (
        <Audience messageId={messageId} at={position} question="who-could-see">
          Who could see it then
        </Audience>
      )}
    </Stack>
  );
}

interface UntilProps {
  /** Position of the deletion. */
  readonly position: number;
  readonly messageId: string;
}

/** Who could see a deleted message, and who had read it, at the last position at which it was there. */
function Until({ position, messageId }: UntilProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        From then on nobody could see it.
      </Text>
      <Group align="flex-start">
        <Audience messageId={messageId} at={position - 1} question="who-could-see">
          Who could see it until then
        </Audience>
        <Audience messageId={messageId} at={position - 1} question="readers">
          Who had read it until then
        </Audience>
      </Group>
    </>
  );
}

/** Steps after which nobody can see the message, or of which nothing is known. */
const withoutAudience = new Set(['deleted', 'unreadable']);

/** The text or its change, and how it is rendered. */
function Written({ step: { change, cut, renderedContent } }: { readonly step: Step }) {
  if (cut === true)
    return (
      <Text c="dimmed">
        The text is left out, because the earlier texts are long: the command line shows it.
      </Text>
    );
  if (change.content === undefined) return null;
  return (
    <div className="beside">
      <figure>
        <figcaption>As it was written</figcaption>
        {change.changes === undefined ? (
          <pre className="source">{change.content}</pre>
        ) : (
          <TextDiff changes={change.changes} />
        )}
      </figure>
      {renderedContent !== null && (
        <figure>
          <figcaption>As it was shown</figcaption>
          <Rendered html={renderedContent} />
        </figure>
      )}
    </div>
  );
}

function addressOf(place: Place, position: number): string {
  // In an address, an empty topic stands for all topics.
  const conversation: Readonly<Record<string, string>> =
    place.type === 'channel'
      ? { channel: String(place.channelId), topic: topicText(place.topic) }
      : { people: place.userIds.join(',') };
  return new URLSearchParams({ ...conversation, at: String(position) }).toString();
}
