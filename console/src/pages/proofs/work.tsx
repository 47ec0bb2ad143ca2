import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../api/session.js';
import { count, duration, plural } from '../../components/numbers.js';
import { Outcome } from '../../components/outcome.js';
import { save } from '../../api/save.js';
import { Failed } from '../../components/states.js';
import { Time, useNow } from '../../components/time.js';
import { useCancel, type BundleSummary, type Proof, type Report } from './proof.js';

/** The progress of a task, or its result. */
export function Work({ proof }: { readonly proof: Proof }) {
  const { state, reason, report, bundle, ended_at: endedAt } = proof;
  if (state === 'running') return <Running proof={proof} />;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {titleOf(proof)}, <Time at={endedAt ?? proof.started_at} />
      </Text>
      {state === 'cancelled' && <Text>It was cancelled.</Text>}
      {state === 'failed' && (
        <Outcome level="act" title="It could not be done">
          <p>{reason}</p>
        </Outcome>
      )}
      {report !== null && <Verdict report={report} isCompared={proof.is_compared} />}
      {bundle !== null && <Made bundle={bundle} name={fileNameOf(proof)} />}
    </Stack>
  );
}

function titleOf({ kind, is_compared: isCompared, ...proven }: Proof): string {
  const { message_id: messageId, event_id: eventId } = proven;
  if (kind === 'verification')
    return isCompared ? 'Verifying the log and comparing it with the kept proof' : 'Verifying the log';
  if (eventId !== null) return `Proving event ${eventId}`;
  return messageId === null ? 'Signing the tree head' : `Proving message ${messageId}`;
}

/** What the file of a bundle is called after. */
function fileNameOf({ message_id: messageId, event_id: eventId }: Proof): string {
  if (eventId !== null) return `event-${eventId}`;
  return messageId === null ? 'tree-head' : `message-${messageId}`;
}

function Running({ proof }: { readonly proof: Proof }) {
  const cancel = useCancel();
  const now = useNow();
  const { progress, started_at: startedAt } = proof;
  const share = progress?.head ? Math.min(1, progress.position / progress.head) : null;
  const elapsed = (now - startedAt) / 1000;
  const left = share !== null && share > 0.02 ? (elapsed * (1 - share)) / share : null;
  return (
    <Stack gap="xs">
      <Text size="sm" className="numbers">
        <b>{titleOf(proof)}</b> · {plural(progress?.events ?? 0, 'event')}
        {share !== null && ` · ${Math.floor(share * 100)} %`}
        {left !== null && ` · ${duration(left)} left`}
      </Text>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={titleOf(proof)} />
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        >
          Cancel
        </Button>
      </Group>
      {cancel.error !== null && <Failed error={cancel.error} />}
    </Stack>
  );
}

/** The result of a verification in one sentence, and every fault with its position. */
function Verdict({ report, isCompared }: { readonly report: Report; readonly isCompared: boolean }) {
  const { events, root, seals, sealed, findings, discarded, last, taggedFrom } = report;
  const isSound = findings.length === 0;
  return (
    <Stack gap="xs">
      <Outcome level={isSound ? 'well' : 'act'} title={verdictOf(report, isCompared)}>
        <Text size="sm">
          {plural(events, 'event')}; {plural(seals, 'seal')}, of which the last good one covers{' '}
          {count(sealed)} events.{' '}
          {taggedFrom === null
            ? 'Tags were not looked at.'
            : `Tags were checked from position ${count(Math.max(1, taggedFrom))} on.`}{' '}
          {last !== null &&
            `This speaks for the log up to ${last}, and for nothing that may have followed it.`}
        </Text>
        <Text size="sm">
          Root <code>{root}</code>
        </Text>
      </Outcome>
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map(({ kind, position, place, message }, index) => (
            <li key={index}>
              <b>{kind}</b>{' '}
              {position !== null && (
                <Link href={`/log?from=${position}&to=${position}`}>position {count(position)}</Link>
              )}{' '}
              {place}: {message}
            </li>
          ))}
        </ul>
      )}
      {discarded.map(({ follower, event }) => (
        <Text size="sm" key={`${follower} ${event.position}`}>
          {follower} lacks {event.type} at position {count(event.position)}, which was discarded.
        </Text>
      ))}
    </Stack>
  );
}

function verdictOf({ findings }: Report, isCompared: boolean): string {
  if (findings.length > 0) return `${plural(findings.length, 'fault')} found`;
  return isCompared ? 'Nothing is amiss, and the log agrees with the kept proof' : 'Nothing is amiss';
}

interface MadeProps {
  readonly bundle: BundleSummary;
  /** A part of the name of the file. */
  readonly name: string;
}

function Made({ bundle, name }: MadeProps) {
  const { ask } = useSession();
  const [error, setError] = useState<Error | null>(null);
  const download = async (): Promise<void> => {
    setError(null);
    try {
      const reply = await ask<{ readonly bundle: object }>({ path: 'audit/proofs/bundle' });
      const text = JSON.stringify(reply.bundle, null, 2);
      save(`palimpsest-${name}-${bundle.size}.json`, new Blob([text], { type: 'application/json' }));
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <Stack gap="xs">
      <Text>
        {bundle.organization}: {plural(bundle.size, 'event')}
        {bundle.events > 0 && `, ${plural(bundle.events, 'of them', 'of them')} proven to be among them`}
        {bundle.continues !== null &&
          `, continuing the ${plural(bundle.continues, 'event')} of the earlier one`}
        .
      </Text>
      <Text size="sm">
        Root <code>{bundle.root}</code>
        <br />
        Signed by <code>{bundle.signer}</code>: tell that by another way than the file.
      </Text>
      <div>
        <Button size="xs" onClick={() => void download()}>
          Download the proof
        </Button>
      </div>
      {error !== null && <Failed error={error} />}
    </Stack>
  );
}
