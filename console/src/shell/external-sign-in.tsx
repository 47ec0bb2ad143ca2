import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  beginningOf,
  consumeProviderReturn,
  externalMethods,
  fetchKey,
  rememberPage,
} from '../api/external-sign-in.js';
import type { Credentials } from '../api/client.js';

/** Links to the configured providers, if there are any. */
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
        <Button
          key={method.name}
          component="a"
          href={beginningOf(method)}
          onClick={rememberPage}
          variant="default"
        >
          {`Sign in with ${method.display_name}`}
        </Button>
      ))}
      <Divider label="or" />
    </Stack>
  );
}

/** Callbacks after a return from a provider. */
interface SignInCallbacks {
  readonly onSignedIn: (credentials: Credentials) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Fetches the key after a return from a provider. */
export function useSignInResult({ onSignedIn, onFailed }: SignInCallbacks): void {
  useEffect(() => {
    if (consumeProviderReturn()) fetchKey().then(onSignedIn, onFailed);
  }, [onSignedIn, onFailed]);
}
