import { Button, Group, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { Empty, Loaded, PageHead, Panel } from '../../components/states.js';
import { Chat } from './chat.js';
import { ChoiceForm } from './choice.js';
import { Compared } from './compared.js';
import { Moment } from './moment.js';
import { conversationOf, type PastConversation } from './past.js';
import '../past.css';

const names = ['channel', 'topic', 'people', 'at', 'as', 'with'] as const;

/** A conversation as it was at any time, and the differences between two times. */
export function TimeMachine() {
  const [choice, change] = useFilters(names);
  const conversation = conversationOf(choice);
  return (
    <>
      <PageHead title="Time machine">
        See a conversation as it was, with everything that was moved away, edited or deleted since.
      </PageHead>
      <Stack gap="lg">
        <Panel title="What to see">
          <ChoiceForm key={JSON.stringify(choice)} choice={choice} onChoose={change} />
        </Panel>
        {conversation === null ? (
          <Empty>Choose a channel, a topic, or people who talk directly.</Empty>
        ) : (
          <Then
            key={JSON.stringify(conversation)}
            conversation={conversation}
            choice={choice}
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
  readonly change: (changed: { readonly at: string }) => void;
}

function Then({ conversation, choice: { at, as, topic, with: other }, change }: ThenProps) {
  const [anchor, setAnchor] = useState<number | null>(null);
  const query = useApi<PastConversation>('audit/conversation', {
    ...conversation,
    ...(at !== '' && { at }),
    ...(as !== '' && { as }),
    ...(anchor === null
      ? { num_before: 50, num_after: 0 }
      : { anchor: String(anchor), num_before: 25, num_after: 25 }),
  });
  const move = useCallback(
    (position: string): void => {
      setAnchor(null);
      change({ at: position });
    },
    [change],
  );
  const isChannel = 'channel_id' in conversation;
  return (
    <>
      <Panel title="The moment">
        <Moment
          conversation={conversation}
          at={query.data?.as_of ?? null}
          isPassing={query.isPlaceholderData}
          asked={/^\d+$/.test(at) ? Number(at) : null}
          onMove={move}
        />
        {query.data === undefined && query.error === null && <Text c="dimmed">Looking for the moment…</Text>}
      </Panel>
      {other !== '' && (
        <Panel title="What differs">
          <Compared conversation={conversation} from={other} to={at} as={as} />
        </Panel>
      )}
      <Panel title="The conversation then">
        <Loaded query={query} of="the conversation">
          {({ messages, older, newer, viewer }) => (
            <>
              {viewer === 'absent' && <Text>This account did not exist then.</Text>}
              {viewer === 'deactivated' && <Text>This account was deactivated then, and saw nothing.</Text>}
              <Group justify="center">
                {older !== null && (
                  <Button variant="subtle" size="xs" onClick={() => setAnchor(older)}>
                    Earlier messages
                  </Button>
                )}
              </Group>
              {messages.length === 0 && <Empty>There was nothing to see here then.</Empty>}
              <Chat messages={messages} hasTopics={isChannel && topic === ''} />
              <Group justify="center">
                {newer !== null && (
                  <Button variant="subtle" size="xs" onClick={() => setAnchor(newer)}>
                    Later messages
                  </Button>
                )}
              </Group>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}
