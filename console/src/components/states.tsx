import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { ApiError } from '../api/client.js';

/** Names what is shown in the title of the document, which browsers show and screen readers say. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Palimpsest console`;
  }, [title]);
}

/** Shows what is being loaded, after a short delay. */
export function Loading({ of }: { readonly of: string }) {
  return (
    <Group className="late" p="lg" gap="sm" role="status">
      <Loader size="sm" />
      <Text c="dimmed">Loading {of}…</Text>
    </Group>
  );
}

/** Shows that there is nothing, and why. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" p="lg" ta="center">
      {children}
    </Text>
  );
}

/** Shows an error and a button to try again. */
export function Failed({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  return (
    <Alert color="red" title={titleOf(error)} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'This page has a fault';
  return error.isPassing ? 'Not now' : 'Refused';
}

export interface LoadedProps<Value> {
  readonly query: UseQueryResult<Value, Error>;
  /** What is loaded, as in “Loading the dead letters…”. */
  readonly of: string;
  readonly children: (value: Value) => ReactNode;
}

/** Shows loaded data, or that it is loading or failed. When a refresh fails, the old data stays, with a line that says so. */
export function Loaded<Value>({ query, of, children }: LoadedProps<Value>) {
  const { data, error, refetch } = query;
  if (data === undefined)
    return error === null ? <Loading of={of} /> : <Failed error={error} retry={() => void refetch()} />;
  return (
    <>
      {error !== null && (
        <Alert color="yellow" role="status" mb="sm">
          What is shown is not of now: {error.message}
        </Alert>
      )}
      {children(data)}
    </>
  );
}

export interface PanelProps {
  readonly title: string;
  /** Beside the title, such as buttons. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}

/** The heading of a page, and a sentence about it. */
export function PageHead({
  title,
  children,
  aside,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly aside?: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="md">
      <div>
        <Title order={1}>{title}</Title>
        {children !== undefined && (
          <Text c="dimmed" mt={4} maw="48rem">
            {children}
          </Text>
        )}
      </div>
      {aside}
    </Group>
  );
}
