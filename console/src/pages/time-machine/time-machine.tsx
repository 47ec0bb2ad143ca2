import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { ReadAgain } from '../../components/read-again.js';
import { Empty, Loaded, PageHead, Panel } from '../../components/states.js';
import { Chat } from './chat.js';
import { ChoiceForm } from './choice.js';
import { Compared } from './compared.js';
import { MomentSlider } from './moment-slider.js';
import { conversationOf, type ConversationChange, type PastConversation } from './past.js';
import '../past.css';

/** `near`: the id of the message that is shown in the middle; absent: the newest ones are shown. */
const names = ['channel', 'topic', 'people', 'at', 'as', 'with', 'near'] as const;

/** A conversation as it was at any time, and the differences between two times. */
export function TimeMachine() {
  const [{ near, ...choice }, change] = useFilters(names);
  const conversation = conversationOf(choice);
  return (
    <>
      <PageHead title="Time machine">
        Shows a conversation as it was, including messages that have been moved, edited or deleted since.
      </PageHead>
      <Stack gap="lg">
        <Panel title="What to see">
          <ChoiceForm
            key={JSON.stringify(choice)}
            choice={choice}
            onChoose={(chosen) => change({ ...chosen, near: '' }, true)}
          />
        </Panel>
        {conversation === null ? (
          <Empty>
            {choice.channel === ''
              ? 'Choose a channel, and a topic if you like, or people in direct messages.'
              : `No channel is called “${choice.channel}”.`}
          </Empty>
        ) : (
          <Then
            // What one person saw must not stand there as what another one saw, while that is loaded.
            key={JSON.stringify([conversation, choice.as])}
            conversation={conversation}
            choice={{ ...choice, near }}
            change={change}
          />
        )}
      </Stack>
    </>
  );
}

interface ThenProps {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly choice: Readonly<Record<(typeof names)[number], string>>;
  readonly change: (changed: { readonly at?: string; readonly near: string }) => void;
}

function Then({ conversation, choice: { at, as, topic, near, with: other }, change }: ThenProps) {
  const parameters = {
    ...conversation,
    with_changes: true,
    ...(at !== '' && { at }),
    ...(as !== '' && { as }),
    ...(near === '' ? { num_before: 50, num_after: 0 } : { anchor: near, num_before: 25, num_after: 25 }),
  };
  const query = useApi<PastConversation>('audit/conversation', parameters, { isReadOnce: true });
  return (
    <>
      {(query.data !== undefined || query.error === null) && (
        // A past moment, too, is shown with what changed since.
        <Moment query={query} at={at} change={change} />
      )}
      {other !== '' && (
        <Panel title="What differs">
          <Compared conversation={conversation} from={other} to={at} as={as} />
        </Panel>
      )}
      <Panel title="The conversation then">
        <Loaded query={query} of="the conversation">
          {(past) => (
            <Past
              past={past}
              as={as}
              near={near === '' ? null : Number(near)}
              changed={query.isPlaceholderData ? null : changedAt(past)}
              hasTopics={'channel_id' in conversation && topic === ''}
              onPage={(id) => change({ near: String(id) })}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

interface MomentProps extends Pick<ThenProps, 'change'> {
  readonly query: UseQueryResult<PastConversation>;
  /** As in the address; empty: now. */
  readonly at: string;
}

function Moment({ query, at, change }: MomentProps) {
  const move = useCallback((position: string) => change({ at: position, near: '' }), [change]);
  const step = ({ position, message_id: id }: ConversationChange): void =>
    change({ at: String(position), near: String(id) });
  return (
    <Panel
      title="The moment"
      aside={
        <ReadAgain
          isReading={query.isRefetching && !query.isPlaceholderData}
          onRead={() => void query.refetch({ cancelRefetch: false })}
        />
      }
    >
      <MomentSlider
        past={query.data}
        isPassing={query.isPlaceholderData}
        asked={/^\d+$/.test(at) ? Number(at) : null}
        onMove={move}
        onStep={step}
      />
    </Panel>
  );
}

/** The message that the change at this very moment was about; null: nothing changed at it. */
function changedAt({ as_of: { position }, changes: { current } }: PastConversation): number | null {
  return current?.position === position ? current.message_id : null;
}

interface PastProps {
  readonly past: PastConversation;
  /** As in the address; empty: everything is seen. */
  readonly as: string;
  readonly near: number | null;
  /** The message that the change at this moment was about; null: nothing changed at this moment. */
  readonly changed: number | null;
  readonly hasTopics: boolean;
  /** Shows other messages, around one of this id. */
  readonly onPage: (id: number) => void;
}

function Past({ past: { viewer, viewer_name: viewerName, ...page }, as, onPage, ...shown }: PastProps) {
  const { messages, older, newer } = page;
  const name = viewerName ?? 'This person';
  return (
    <>
      {viewer === 'absent' && <Text>{name} did not have an account then.</Text>}
      {viewer === 'deactivated' && <Text>The account of {name} was deactivated then, and saw nothing.</Text>}
      {older !== null && (
        <Group justify="center">
          <Button variant="subtle" size="xs" onClick={() => onPage(older)}>
            Earlier messages
          </Button>
        </Group>
      )}
      {messages.length === 0 ? (
        <Empty>{as === '' ? 'There was nothing here then.' : `${name} could see nothing here then.`}</Empty>
      ) : (
        <Chat messages={messages} {...shown} />
      )}
      {newer !== null && (
        <Group justify="center">
          <Button variant="subtle" size="xs" onClick={() => onPage(newer)}>
            Later messages
          </Button>
        </Group>
      )}
    </>
  );
}
