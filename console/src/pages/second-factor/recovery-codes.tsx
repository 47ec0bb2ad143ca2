import { Button, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useSession } from '../../api/session.js';
import { Panel } from '../../components/states.js';
import { save } from '../../api/save.js';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Called when the user confirms having saved them. */
  readonly onKept: () => void;
}

/** Shows recovery codes, only once. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { access, credentials } = useSession();
  const download = (): void => {
    const head = `Recovery codes of ${credentials.email} at ${access.organization}. Each is good once.`;
    save('recovery-codes.txt', new Blob([`${head}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }));
  };
  return (
    <Panel title="Your recovery codes">
      <Stack gap="md">
        <Text size="sm" role="status">
          Your second factor is enabled. If you lose your app, each of these codes replaces it once. They are
          shown only now: keep them apart from your password.
        </Text>
        <ul className="recovery-codes" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="sm">
          <Button size="xs" onClick={download} autoFocus>
            Download
          </Button>
          <Copy text={codes.join('\n')} what="the codes" />
          <Button size="xs" variant="default" onClick={onKept}>
            I keep them
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

/** Copies a text, where the browser allows it: over HTTPS, and on localhost. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const { copy, copied, error } = useClipboard();
  if (!window.isSecureContext) return null;
  return (
    <Button size="xs" variant="default" onClick={() => copy(text)}>
      {error !== null ? 'Not copied: the browser refuses' : copied ? 'Copied' : `Copy ${what}`}
    </Button>
  );
}
