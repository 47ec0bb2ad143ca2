import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { Empty, Loaded } from '../../components/states.js';
import { TextDiff } from '../../components/text-diff.js';
import { Time } from '../../components/time.js';
import { plural } from '../../components/numbers.js';
import { Said } from './chat.js';
import type { Comparison, Difference, PastMessage } from './past.js';

export interface ComparedProps {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly to: string;
  readonly as: string;
}

/** As many are shown: whoever compares more narrows it down. */
const MOST = 1_000;

/** What came, went and changed between two moments, side by side. */
export function Compared({ conversation, from, to, as }: ComparedProps) {
  const { ask } = useSession();
  const [looked, setLooked] = useState(0);
  const parameters = { ...conversation, from, ...(to !== '' && { to }), ...(as !== '' && { as }) };
  const query = useQuery<Comparison, ApiError>({
    queryKey: ['comparison', parameters],
    queryFn: async ({ signal }) => {
      const differences: Difference[] = [];
      let unchanged = 0;
      for (let after: number | null = 0; ;) {
        const asked: Readonly<Record<string, unknown>> = { ...parameters, after };
        const page: Comparison = await ask<Comparison>({
          path: 'audit/conversation/comparison',
          parameters: asked,
          signal,
        });
        differences.push(...page.differences);
        unchanged += page.unchanged;
        ({ after } = page);
        setLooked(after === null ? 100 : (100 * after) / Math.max(1, page.last_message_id));
        if (after === null || differences.length >= MOST) return { ...page, differences, unchanged };
      }
    },
  });
  return (
    <>
      {query.isFetching && <Progress value={looked} aria-label="Compared" mb="sm" />}
      <Loaded query={query} of="the comparison">
        {({ differences, unchanged, from: earlier, to: later, after }) => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {plural(differences.length, 'difference')}, {plural(unchanged, 'message')} as before, between{' '}
              <Time at={earlier.time} /> and <Time at={later.time} />.
              {after !== null && ' There are more: choose moments that lie closer together.'}
            </Text>
            {differences.length === 0 && <Empty>Nothing differs between the two moments.</Empty>}
            <ol className="differences">
              {differences.map((difference) => (
                <li
                  key={(difference.before ?? difference.after)!.id}
                  className={`difference ${difference.kind}`}
                >
                  <Differs difference={difference} />
                </li>
              ))}
            </ol>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

const reasons = {
  sent: 'it was sent',
  deleted: 'it was deleted',
  moved: 'it was moved',
  permissions: 'permissions changed',
} as const;

function Differs({
  difference: { kind, because, before, after, text },
}: {
  readonly difference: Difference;
}) {
  const title = { came: 'Came', went: 'Went', changed: 'Changed' }[kind];
  return (
    <>
      <p className="difference-title">
        {title}
        {because !== null && `: ${reasons[because]}`}
      </p>
      <div className="difference-sides">
        <Side name="Before" message={before} />
        <Side name="After" message={after} />
      </div>
      {text !== null && <TextDiff changes={text} />}
    </>
  );
}

function Side({ name, message }: { readonly name: string; readonly message: PastMessage | null }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {name}
      </Text>
      {message === null ? (
        <Text c="dimmed" size="sm">
          Not there
        </Text>
      ) : (
        <Said message={message} />
      )}
    </div>
  );
}
