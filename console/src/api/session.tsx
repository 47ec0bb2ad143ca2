import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { accessOf, type Access } from './access.js';
import { ApiError, ask, type ApiRequest, type Credentials } from './client.js';

/** Where the tab stores the key, which is removed with the tab and not shared with others. */
const STORED = 'palimpsest-session';

/** The signed-in account. */
export interface Session {
  readonly credentials: Credentials;
  readonly access: Access;
  /** Sends a request to the API with the session's key. @throws ApiError */
  readonly ask: <Reply>(request: ApiRequest) => Promise<Reply>;
}

/** Whether the tab has a session. */
export interface SessionState {
  readonly credentials: Credentials | null;
  /** Why a session has ended; null: there was none, or the user ended it. */
  readonly notice: string | null;
  readonly signIn: (credentials: Credentials) => void;
  readonly signOut: (notice?: string) => void;
}

const StateContext = createContext<SessionState | null>(null);
const SessionContext = createContext<Session | null>(null);

/** Provides the session. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [credentials, setCredentials] = useState(storedCredentials);
  const [notice, setNotice] = useState<string | null>(null);
  const signIn = useCallback((next: Credentials): void => {
    sessionStorage.setItem(STORED, JSON.stringify(next));
    setNotice(null);
    setCredentials(next);
  }, []);
  const signOut = useCallback(
    (reason?: string): void => {
      sessionStorage.removeItem(STORED);
      setNotice(reason ?? null);
      setCredentials(null);
      // The next account must not see cached data.
      client.clear();
    },
    [client],
  );
  const state = useMemo(
    () => ({ credentials, notice, signIn, signOut }),
    [credentials, notice, signIn, signOut],
  );
  return <StateContext value={state}>{children}</StateContext>;
}

export function useSessionState(): SessionState {
  const state = useContext(StateContext);
  if (state === null) throw new Error('There is no SessionProvider above');
  return state;
}

/** Reads from the server whose key it is, and the permissions; an invalid key ends the session. */
export function useAccess(credentials: Credentials) {
  const { signOut } = useSessionState();
  return useQuery({
    queryKey: ['access', credentials.email],
    queryFn: async ({ signal }) => {
      try {
        return await accessOf(credentials, signal);
      } catch (error) {
        if (error instanceof ApiError && error.isAboutKey) signOut(KEY_ENDED);
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

/** Shown when a key becomes invalid during a session. */
const KEY_ENDED =
  'Your key is no longer good: it was replaced or revoked, or your account was deactivated. Sign in again.';

/** Provides the session to everything below. */
export function SignedIn({
  credentials,
  access,
  children,
}: Pick<Session, 'credentials' | 'access'> & { readonly children: ReactNode }) {
  const { signOut } = useSessionState();
  const session = useMemo<Session>(
    () => ({
      credentials,
      access,
      ask: async <Reply,>(request: ApiRequest) => {
        try {
          return await ask<Reply>(request, credentials);
        } catch (error) {
          if (error instanceof ApiError && error.isAboutKey) signOut(KEY_ENDED);
          throw error;
        }
      },
    }),
    [credentials, access, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session, for pages, which are only shown to signed-in people. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in');
  return session;
}

function storedCredentials(): Credentials | null {
  const text = sessionStorage.getItem(STORED);
  return text === null ? null : (JSON.parse(text) as Credentials);
}
