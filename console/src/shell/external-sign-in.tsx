import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { beginningOf, externalMethods, fetchKey, takeArrival } from '../api/external-sign-in.js';
import type { Credentials } from '../api/client.js';

/** Leads to the providers by which people may sign in; nothing where there is none. */
export function ExternalSignIn() {
  const methods = useQuery({
    queryKey: ['external-methods'],
    queryFn: ({ signal }) => externalMethods(signal),
    staleTime: 60_000,
  });
  if (methods.data === undefined || methods.data.length === 0) return null;
  return (
    <Stack gap="md">
      {methods.data.map((method) => (
        <Button key={method.name} component="a" href={beginningOf(method)} variant="default">
          {`Sign in with ${method.display_name}`}
        </Button>
      ))}
      <Divider label="or" />
    </Stack>
  );
}

/** What is done with whoever comes back from a provider. */
interface Arriving {
  readonly onArrived: (credentials: Credentials) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Fetches the key of whoever has just come back from a provider. */
export function useArrival({ onArrived, onFailed }: Arriving): void {
  useEffect(() => {
    if (takeArrival()) fetchKey().then(onArrived, onFailed);
  }, [onArrived, onFailed]);
}
