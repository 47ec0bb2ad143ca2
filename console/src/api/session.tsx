import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { accessOf, revoke, type Access } from './access.js';
import { ApiError, ask, download, type ApiRequest, type Credentials } from './client.js';

/** Where the tab stores the key, which is removed with the tab and not shared with others. */
const STORED = 'palimpsest-session';

/** The signed-in account. */
export interface Session {
  readonly credentials: Credentials;
  readonly access: Access;
  /** Sends a request to the API with the session's key. @throws ApiError */
  readonly ask: <Reply>(request: ApiRequest) => Promise<Reply>;
  /** Saves a file of the API under a name. @throws ApiError */
  readonly download: (path: string, name: string) => Promise<void>;
}

/** Whether the tab has a session. */
export interface SessionState {
  readonly credentials: Credentials | null;
  /** What to say about the session that has ended; null: there was none, or nothing is to be said. */
  readonly notice: string | null;
  readonly signIn: (credentials: Credentials) => void;
  /** Ends the session, and revokes its key if the sign-in issued it. */
  readonly signOut: () => void;
  /** Ends the session if its key is the one that was refused. */
  readonly keyEnded: (refused: Credentials) => void;
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
  const end = useCallback(
    (reason: string | null): void => {
      sessionStorage.removeItem(STORED);
      setNotice(reason);
      setCredentials(null);
      // The next account must not see cached data.
      client.clear();
    },
    [client],
  );
  const signOut = useCallback((): void => {
    end(null);
    if (credentials?.isIssued === true)
      revoke(credentials).catch((error: unknown) => {
        // A key that is not valid any more needs no revoking, and whoever has signed in since has another one.
        if (!isAboutKey(error) && storedCredentials() === null) setNotice(NOT_REVOKED);
      });
  }, [end, credentials]);
  const keyEnded = useCallback(
    (refused: Credentials): void => {
      // A refusal can arrive after its session has ended, and after another one has begun.
      if (storedCredentials()?.key === refused.key) end(KEY_ENDED);
    },
    [end],
  );
  const state = useMemo(
    () => ({ credentials, notice, signIn, signOut, keyEnded }),
    [credentials, notice, signIn, signOut, keyEnded],
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
  const { keyEnded } = useSessionState();
  return useQuery({
    queryKey: ['access', credentials.email],
    queryFn: async ({ signal }) => {
      try {
        return await accessOf(credentials, signal);
      } catch (error) {
        if (isAboutKey(error)) keyEnded(credentials);
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

function isAboutKey(error: unknown): boolean {
  return error instanceof ApiError && error.isAboutKey;
}

/** Shown when a key is still valid after somebody has signed out. */
const NOT_REVOKED =
  'You are signed out here, but the server could not be told to revoke the key of this session. It is in the list of your API keys.';

/** Shown when a key becomes invalid during a session. */
const KEY_ENDED =
  'Your key is no longer good: it was replaced or revoked, or your account was deactivated. Sign in again.';

/** Provides the session to everything below. */
export function SignedIn({
  credentials,
  access,
  children,
}: Pick<Session, 'credentials' | 'access'> & { readonly children: ReactNode }) {
  const { keyEnded } = useSessionState();
  const session = useMemo<Session>(() => {
    const withKey = async <Result,>(request: (key: Credentials) => Promise<Result>): Promise<Result> => {
      try {
        return await request(credentials);
      } catch (error) {
        if (isAboutKey(error)) keyEnded(credentials);
        throw error;
      }
    };
    return {
      credentials,
      access,
      ask: <Reply,>(request: ApiRequest) => withKey((key) => ask<Reply>(request, key)),
      download: (path, name) => withKey((key) => download(path, name, key)),
    };
  }, [credentials, access, keyEnded]);
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
