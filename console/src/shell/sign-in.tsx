import {
  Alert,
  Button,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useCallback, useState, type FormEvent } from 'react';
import { accessOf, logIn } from '../api/access.js';
import { ApiError, CODE_MISSING, type Credentials } from '../api/client.js';
import { useSessionState } from '../api/session.js';
import { useDocumentTitle } from '../components/states.js';
import { ExternalSignIn, useSignInResult } from './external-sign-in.js';
import { SchemeMenu } from './scheme-menu.js';

type Way = 'password' | 'key';

const secrets = {
  password: { label: 'Password', autoComplete: 'current-password', wrong: null },
  key: {
    label: 'API key',
    autoComplete: 'off',
    wrong: 'This key does not belong to this address, or is no longer good.',
  },
} as const;

/** The sign-in form. */
export function SignIn() {
  useDocumentTitle('Sign in');
  const [way, setWay] = useState<Way>('password');
  const { problem, isAsking, needsCode, submit } = useSignIn(way);
  return (
    <main className="sign-in">
      <div className="sign-in-scheme">
        <SchemeMenu />
      </div>
      <Paper withBorder p="xl" radius="lg" maw="26rem" w="100%">
        <form onSubmit={(event) => void submit(event)} method="post">
          <Stack gap="md">
            <Heading />
            <Notices problem={problem} />
            <ExternalSignIn />
            <SegmentedControl
              fullWidth
              aria-label="How to sign in"
              value={way}
              onChange={(value) => setWay(value)}
              data={[
                { value: 'password', label: 'Password' },
                { value: 'key', label: 'API key' },
              ]}
            />
            <AccountInputs way={way} />
            {needsCode && way === 'password' && <CodeInput />}
            <Button type="submit" loading={isAsking}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              The key stays in this tab. Signing out revokes it, unless you entered it as a key; closing the
              tab does not. The first start of a server writes the key of its owner to{' '}
              <code>owner.zuliprc</code>.
            </Text>
          </Stack>
        </form>
      </Paper>
    </main>
  );
}

interface SigningIn {
  /** Why it failed; null: it did not. */
  readonly problem: string | null;
  readonly isAsking: boolean;
  /** Whether the account asks for a code of its second factor. */
  readonly needsCode: boolean;
  readonly submit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
}

/** Signs in with what the form contains, or after a return from a provider. */
function useSignIn(way: Way): SigningIn {
  const { signIn } = useSessionState();
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const onFailed = useCallback((error: unknown) => setProblem(problemOf(error, 'password')), []);
  useSignInResult({ onSignedIn: signIn, onFailed });
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setAsking(true);
    setProblem(null);
    try {
      const credentials = await credentialsIn(form, way, needsCode);
      // Detects an invalid key before anything is shown.
      await accessOf(credentials);
      signIn(credentials);
    } catch (error) {
      setNeedsCode((before) => way === 'password' && stillAsksForCode(error, before));
      // A request for a code is not shown as an error: its field appears and gets the focus.
      const isAsked = error instanceof ApiError && error.code === CODE_MISSING;
      setProblem(isAsked ? null : problemOf(error, way));
    } finally {
      setAsking(false);
    }
  };
  return { problem, isAsking, needsCode, submit };
}

/** The entered key, or one for the entered password. @throws ApiError */
async function credentialsIn(form: FormData, way: Way, needsCode: boolean): Promise<Credentials> {
  const email = textOf(form, 'email').trim();
  const secret = textOf(form, 'secret');
  if (way === 'key') return { email, key: secret.trim() };
  const code = needsCode ? textOf(form, 'code').trim() : undefined;
  return logIn({ email, password: secret, code });
}

function Heading() {
  return (
    <div>
      <Title order={1} className="wordmark large">
        <span data-under="Palimpsest">Palimpsest</span>
      </Title>
      <Text c="dimmed" size="sm" mt={4}>
        The console, for owners and auditors
      </Text>
    </div>
  );
}

/** Why signing in failed, or else what is to be said about the session before. */
function Notices({ problem }: Pick<SigningIn, 'problem'>) {
  const { notice } = useSessionState();
  const shown = problem ?? notice;
  if (shown === null) return null;
  return (
    <Alert color={problem === null ? 'yellow' : 'red'} role="alert">
      {shown}
    </Alert>
  );
}

function AccountInputs({ way }: { readonly way: Way }) {
  const { label, autoComplete } = secrets[way];
  return (
    <>
      <TextInput
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        data-autofocus
      />
      <PasswordInput
        key={way}
        name="secret"
        label={label}
        autoComplete={autoComplete}
        required
        visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}`, tabIndex: 0 }}
      />
    </>
  );
}

/** The input for a code of the second factor. */
function CodeInput() {
  return (
    <TextInput
      name="code"
      label="Code"
      description="Of your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      maxLength={20}
      required
      autoFocus
    />
  );
}

/** @param before whether a code was requested when the form was sent */
function stillAsksForCode(error: unknown, before: boolean): boolean {
  if (!(error instanceof ApiError)) return before;
  return error.isAboutCode || (before && error.isPassing);
}

function problemOf(error: unknown, way: Way): string {
  if (!(error instanceof ApiError)) return String(error);
  const { wrong } = secrets[way];
  return error.isAboutKey && wrong !== null ? wrong : error.message;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
