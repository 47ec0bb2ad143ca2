import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useDownload } from '../../api/use-download.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { bytes, plural } from '../../components/numbers.js';
import { Outcome } from '../../components/outcome.js';
import { Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useBegin, useEnd, useExport, type Export, type ExportResult } from './export.js';

/** Downloads a copy of everything that is stored about the account. */
export function YourData() {
  const query = useExport();
  const begin = useBegin();
  const hasCopy = query.data?.export?.state === 'done';
  const isBusy = query.data?.export?.state === 'running' || begin.isPending;
  return (
    <>
      <PageHead title="Your data">
        A copy of everything that is stored about you: account, settings, drafts, files, your messages with
        every version, direct messages to you, and where you logged in from.
      </PageHead>
      <Panel
        title="Your copy"
        aside={
          <ConfirmButton
            label="Make a copy"
            size="xs"
            variant={hasCopy ? 'default' : 'filled'}
            loading={isBusy}
            asks={hasCopy}
            title="Make another copy?"
            action="Replace the copy"
            onConfirm={() => begin.mutate(undefined)}
          >
            A new copy of your data replaces the one that is there, which can no longer be downloaded.
          </ConfirmButton>
        }
      >
        <Stack gap="sm">
          {begin.error !== null && <Failed error={begin.error} />}
          <Loaded query={query} of="your copy">
            {({ export: last }) => <Last last={last} />}
          </Loaded>
        </Stack>
      </Panel>
    </>
  );
}

function Last({ last }: { readonly last: Export | null }) {
  if (last === null) return <Text c="dimmed">You have no copy yet. A new copy replaces the one before.</Text>;
  if (last.state === 'running') return <Running progress={last.progress} />;
  if (last.result === null)
    return (
      <Outcome level="act" title="It could not be made">
        <p>{last.error}</p>
      </Outcome>
    );
  return <Made result={last.result} last={last} />;
}

function Running({ progress }: { readonly progress: number }) {
  const end = useEnd();
  return (
    <Stack gap="xs">
      <Text size="sm" className="numbers">
        <b>Making your copy</b> · {Math.floor(progress * 100)} %
      </Text>
      <Progress value={progress * 100} aria-label="Making your copy" />
      <div>
        <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
          Cancel
        </Button>
      </div>
      {end.error !== null && <Failed error={end.error} />}
    </Stack>
  );
}

function Made({ result, last }: { readonly result: ExportResult; readonly last: Export }) {
  const end = useEnd();
  const { error, isSaving, save } = useDownload('users/me/data_export/file', 'my-data.zip');
  return (
    <Stack gap="sm">
      <Text size="sm">
        {plural(result.messages, 'message')}, {plural(result.files, 'file')}, {plural(result.events, 'event')}{' '}
        about your account; {bytes(result.bytes)}
        {last.expires !== null && (
          <>
            , kept until <Time at={last.expires * 1000} />
          </>
        )}
        .
      </Text>
      <Group gap="sm">
        <Button size="xs" loading={isSaving} onClick={save}>
          Download your data
        </Button>
        <ConfirmButton
          label="Remove it"
          size="xs"
          loading={end.isPending}
          title="Remove your copy?"
          action="Remove the copy"
          onConfirm={() => end.mutate(undefined)}
        >
          The copy of your data, {bytes(result.bytes)}, will be removed from the server and can no longer be
          downloaded. What is stored about you stays, so another copy can be made.
        </ConfirmButton>
      </Group>
      {(error ?? end.error) !== null && <Failed error={(error ?? end.error)!} />}
    </Stack>
  );
}
