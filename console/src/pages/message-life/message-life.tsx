import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { NamedInput } from '../../components/named-input.js';
import { idIn, usePeople } from '../../components/named.js';
import { Rendered } from '../../components/rendered.js';
import { Empty, Loaded, PageHead, Panel } from '../../components/states.js';
import { TextDiff, type TextChange } from '../../components/text-diff.js';
import { Time } from '../../components/time.js';
import { count } from '../../components/numbers.js';
import { Audience } from './audience.js';
import '../past.css';

interface Place {
  readonly type: 'channel' | 'direct';
  readonly channelId?: number;
  readonly topic?: string;
  readonly userIds?: readonly number[];
}

interface Step {
  readonly position: number;
  readonly eventId: string;
  readonly at: number;
  readonly erased: boolean;
  /** Null: the event is not readable. */
  readonly sentence: string | null;
  /** Its text, rendered by the server; null: it has none. */
  readonly renderedContent: string | null;
  /** Whether its texts were omitted, because earlier ones are long. */
  readonly cut?: true;
  readonly change: {
    readonly kind: string;
    readonly content?: string;
    readonly changes?: readonly TextChange[];
    readonly location?: Place;
    readonly to?: Place;
    readonly reason?: string;
  };
}

interface View {
  readonly position: number;
  readonly at: number;
  readonly message: {
    readonly content: string;
    readonly subject: string;
    readonly flags: readonly string[];
  } | null;
}

interface Viewed {
  readonly views: readonly View[];
  /** Whether later views were left out. */
  readonly views_cut: boolean;
}

interface Timeline {
  readonly steps: readonly Step[];
}

/** The history of a message. */
export function MessageTimeline() {
  const { id = '' } = useParams<{ id?: string }>();
  const isId = /^\d{1,15}$/.test(id);
  return (
    <>
      <PageHead title="Message">
        The history of a message since it was sent, and what somebody could see of it.
      </PageHead>
      <Stack gap="lg">
        <Choose key={id} id={id} />
        {isId ? <TimelineOf key={id} id={id} /> : <Empty>Enter the id of a message.</Empty>}
      </Stack>
    </>
  );
}

function Choose({ id }: { readonly id: string }) {
  const [draft, setDraft] = useState(id);
  const [filters] = useFilters(['as']);
  const [viewer, setViewer] = useState(filters.as);
  const people = usePeople();
  const [, navigate] = useLocation();
  return (
    <Panel title="Which message">
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault();
          const seer = idIn(viewer, people);
          const query = seer === '' ? '' : `?as=${encodeURIComponent(seer)}`;
          if (/^\d+$/.test(draft.trim())) navigate(`/messages/${draft.trim()}${query}`);
        }}
      >
        <TextInput
          label="Message"
          placeholder="its id"
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
        />
        <div>
          <NamedInput
            label="What could this person see of it"
            placeholder="a name, an e-mail address or an id"
            all={people}
            value={filters.as}
            onWrite={setViewer}
          />
        </div>
        <Button type="submit">Show</Button>
      </form>
    </Panel>
  );
}

function TimelineOf({ id }: { readonly id: string }) {
  const [{ as }] = useFilters(['as']);
  const query = useApi<Timeline>(`audit/messages/${id}/history`);
  return (
    <>
      <Loaded query={query} of="the life of the message">
        {({ steps }) => (
          <Panel title="What happened">
            <ol className="life">
              {steps.map((step) => (
                <li key={step.eventId} className={`life-step ${step.change.kind}`}>
                  <Happened step={step} messageId={id} />
                </li>
              ))}
            </ol>
            {!steps.some(({ change }) => change.kind === 'deleted') && <Now messageId={id} />}
          </Panel>
        )}
      </Loaded>
      {as !== '' && <Views key={as} id={id} as={as} />}
    </>
  );
}

/** What an account could see of the message. */
function Views({ id, as }: { readonly id: string; readonly as: string }) {
  const query = useApi<Viewed>(`audit/messages/${id}/history`, { as });
  return (
    <Panel title="What this person could see">
      <Loaded query={query} of="what could be seen">
        {({ views, views_cut: isCut }) => (
          <>
            <ol className="life">
              {views.map(({ position, at, message }, index) => (
                <li key={position} className={message === null ? 'life-step deleted' : 'life-step'}>
                  <Text size="sm">
                    From <Time at={at} />: {sightOf(message)}
                  </Text>
                  {message !== null && message.content !== views[index - 1]?.message?.content && (
                    <pre className="source">{message.content}</pre>
                  )}
                </li>
              ))}
            </ol>
            {isCut && <Text c="dimmed">Not everything is shown here: the command line shows all of it.</Text>}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** How the message could be seen: received and read or not, or as part of a history. */
function sightOf(message: View['message']): string {
  if (message === null) return 'nothing';
  const { subject, flags } = message;
  const read = flags.includes('read') ? 'read' : 'unread';
  const how = [
    flags.includes('historical') ? 'as part of the history' : read,
    ...(flags.includes('starred') ? ['starred'] : []),
  ];
  return `this, ${subject === '' ? '' : `in “${subject}”, `}${how.join(', ')}`;
}

function Now({ messageId }: { readonly messageId: string }) {
  return (
    <Group align="flex-start">
      <Audience messageId={messageId} at={null} question="who-could-see">
        Who can see it now
      </Audience>
      <Audience messageId={messageId} at={null} question="readers">
        Who has read it
      </Audience>
    </Group>
  );
}

function Happened({ step, messageId }: { readonly step: Step; readonly messageId: string }) {
  const { position, at, erased, sentence, change } = step;
  const place = change.location ?? change.to;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Time at={at} />
        <Text size="sm" c="dimmed">
          position <span className="numbers">{count(position)}</span>
        </Text>
      </Group>
      <Text>{sentence ?? `An event that cannot be read: ${change.reason ?? ''}`}</Text>
      {erased && <Alert color="yellow">The text was erased: its key was destroyed.</Alert>}
      <Written step={step} />
      {place?.channelId !== undefined && (
        <Text size="sm">
          <Link href={`/time-machine?${addressOf(place, position)}`}>
            See the conversation at this moment
          </Link>
        </Text>
      )}
      {change.kind === 'deleted' ? (
        <Text size="sm" c="dimmed">
          From then on nobody could see it.
        </Text>
      ) : (
        audienceChanges.has(change.kind) && (
          <Audience messageId={messageId} at={position} question="who-could-see">
            Who could see it then
          </Audience>
        )
      )}
    </Stack>
  );
}

/** Steps that may change the text or who can see it. */
const audienceChanges = new Set(['sent', 'edited', 'moved']);

/** The text or its change, and how it is rendered. */
function Written({ step: { change, cut, renderedContent } }: { readonly step: Step }) {
  if (cut === true)
    return (
      <Text c="dimmed">
        The text is left out, because the earlier texts are long: the command line shows it.
      </Text>
    );
  if (change.content === undefined) return null;
  return (
    <div className="beside">
      <figure>
        <figcaption>As it was written</figcaption>
        {change.changes === undefined ? (
          <pre className="source">{change.content}</pre>
        ) : (
          <TextDiff changes={change.changes} />
        )}
      </figure>
      {renderedContent !== null && (
        <figure>
          <figcaption>As it was shown</figcaption>
          <Rendered html={renderedContent} />
        </figure>
      )}
    </div>
  );
}

function addressOf({ channelId, topic = '' }: Place, position: number): string {
  return new URLSearchParams({ channel: String(channelId), topic, at: String(position) }).toString();
}
