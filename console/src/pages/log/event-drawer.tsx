import { Button, CloseButton, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { Fact } from '../../components/table.js';
import { count } from '../../components/numbers.js';
import { Failed, Loaded } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useBegin } from '../proofs/proof.js';
import { whatHappened, type LoggedEvent } from './events.js';

interface StoredEvent {
  readonly event: LoggedEvent & {
    readonly id: string;
    readonly data?: { readonly messageId?: unknown } | null;
  };
  readonly stored: object;
  readonly hash: string | null;
  readonly tag: string | null;
}

/** One event: a sentence about it, and its stored form. */
export function EventDrawer({
  position,
  onClose,
}: {
  /** Null: none is shown. */
  readonly position: number | null;
  readonly onClose: () => void;
}) {
  return (
    <Drawer.Root opened={position !== null} onClose={onClose} position="right" size="lg" lockScroll={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {position !== null && (
            <>
              {/* Inside of the body, because a header element would be a second banner of the page. */}
              <Group justify="space-between" mb="md">
                <Drawer.Title>Event {count(position)}</Drawer.Title>
                <CloseButton aria-label="Close" onClick={onClose} />
              </Group>
              <Stored position={position} />
            </>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** An event as it is stored, with a sentence about it. Looking at it is recorded. */
export function Stored({
  position,
  level = 3,
}: {
  readonly position: number;
  /** Of the heading. */
  readonly level?: 2 | 3;
}) {
  const query = useApi<StoredEvent>(`audit/events/${position}`, {}, { isReadOnce: true });
  return (
    <Loaded query={query} of="the event">
      {({ event, stored, hash, tag }) => (
        <Stack gap="md">
          <Text>{whatHappened(event)}</Text>
          <About messageId={messageIn(event)} />
          <Prove eventId={event.id} />
          <dl className="facts rows">
            <Fact name="Time">
              {event.metadata.at === undefined ? 'unknown' : <Time at={event.metadata.at} />}
            </Fact>
            <Fact name="Type">{event.type}</Fact>
            <Fact name="Place">
              {event.stream}@{event.revision}
            </Fact>
            <Fact name="Id">{event.id}</Fact>
            <Fact name="Hash">{hash ?? 'none'}</Fact>
            <Fact name="Tag">{tag ?? 'none: it was stored before there were tags'}</Fact>
          </dl>
          <Title order={level} size="h3">
            As it is stored
          </Title>
          <pre className="stored" tabIndex={0}>
            {JSON.stringify(stored, null, 2)}
          </pre>
        </Stack>
      )}
    </Loaded>
  );
}

/** Begins to prove an event to outsiders, and leads to the progress. */
function Prove({ eventId }: { readonly eventId: string }) {
  const begin = useBegin();
  const [, navigate] = useLocation();
  const prove = (): void =>
    begin.mutate({ kind: 'bundle', event_id: eventId }, { onSuccess: () => navigate('/proofs') });
  return (
    <>
      <div>
        <Button size="xs" variant="default" loading={begin.isPending} onClick={prove}>
          Prove this event
        </Button>
      </div>
      {begin.error !== null && <Failed error={begin.error} />}
    </>
  );
}

/** Where the message of an event leads to. */
function About({ messageId }: { readonly messageId: number | null }) {
  if (messageId === null) return null;
  return (
    <Group gap="md">
      <Link href={`/messages/${messageId}`}>Life of message {messageId}</Link>
      <Link href={`/proofs?message=${messageId}`}>Prove message {messageId}</Link>
    </Group>
  );
}

/** The id of the message that an event is about; null: it is about none. */
function messageIn({ type, revision, data }: StoredEvent['event']): number | null {
  // Ids of messages are the numbers of their events in the stream of all messages.
  if (type === 'MessageSent') return revision + 1;
  const id = data?.messageId;
  return typeof id === 'number' ? id : null;
}
