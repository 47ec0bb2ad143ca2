import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { accessOf, type Access } from './access.js';
import { ApiError, ask, type ApiRequest, type Credentials } from './client.js';

/** Where the tab keeps the key: it is gone with the tab, and no other tab has it. */
const STORED = 'palimpsest-session';

/** Who looks. */
export interface Session {
  readonly credentials: Credentials;
  readonly access: Access;
  /** Asks the API with the key of the session. @throws ApiError */
  readonly ask: <Reply>(request: ApiRequest) => Promise<Reply>;
}

/** How the tab stands. */
export interface SessionState {
  readonly credentials: Credentials | null;
  /** Why somebody who was signed in is not any more; null: nothing of the kind. */
  readonly notice: string | null;
  readonly signIn: (credentials: Credentials) => void;
  readonly signOut: (notice?: string) => void;
}

const StateContext = createContext<SessionState | null>(null);
const SessionContext = createContext<Session | null>(null);

/** Keeps who is signed in. */
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
      // What one person saw is not for the next.
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

/** Asks the server who holds the key and what they may; a key that is no longer good ends the session. */
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

/** What is said when a key stops being good while somebody looks. */
export const KEY_ENDED =
  'Your key is no longer good: it was replaced or revoked, or your account was deactivated. Sign in again.';

/** Lets everything below ask as who is signed in. */
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

/** The session of who is signed in: for pages, which are shown to nobody else. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in');
  return session;
}

function storedCredentials(): Credentials | null {
  const text = sessionStorage.getItem(STORED);
  return text === null ? null : (JSON.parse(text) as Credentials);
}
