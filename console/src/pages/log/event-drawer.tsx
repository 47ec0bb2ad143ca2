import { CloseButton, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.js';
import { Loaded } from '../../components/states.js';
import { Time } from '../../components/time.js';
import type { LoggedEvent } from './events.js';

interface StoredEvent {
  readonly event: LoggedEvent & { readonly id: string };
  readonly stored: object;
  readonly hash: string | null;
  readonly tag: string | null;
}

/** One event: a sentence about it, and its stored form. */
export function EventDrawer({
  event,
  onClose,
}: {
  readonly event: LoggedEvent | null;
  readonly onClose: () => void;
}) {
  return (
    <Drawer.Root opened={event !== null} onClose={onClose} position="right" size="lg" lockScroll={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          {event !== null && (
            <>
              {/* Inside of the body, because a header element would be a second banner of the page. */}
              <Group justify="space-between" mb="md">
                <Drawer.Title>Event {event.position}</Drawer.Title>
                <CloseButton aria-label="Close" onClick={onClose} />
              </Group>
              <Stored position={event.position} />
            </>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Stored({ position }: { readonly position: number }) {
  const query = useApi<StoredEvent>(`audit/events/${position}`);
  return (
    <Loaded query={query} of="the event">
      {({ event, stored, hash, tag }) => (
        <Stack gap="md">
          <Text>{event.sentence ?? event.unreadable}</Text>
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
          <Title order={3}>As it is stored</Title>
          <pre className="stored" tabIndex={0}>
            {JSON.stringify(stored, null, 2)}
          </pre>
        </Stack>
      )}
    </Loaded>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
