import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { count } from '../../components/numbers.js';
import { Empty, Loaded } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { Time } from '../../components/time.js';

interface Person {
  readonly user_id: number;
  /** Null: unknown. */
  readonly full_name: string | null;
  readonly access: 'received' | 'historical';
  readonly has_read: boolean;
  readonly is_sender: boolean;
  /** It counts as read for them although they did not read it. */
  readonly marked_read: boolean;
  /** Milliseconds since the UNIX epoch; null: they did not read it, or only sent it. */
  readonly read_at: number | null;
}

interface Page {
  readonly count: number;
  readonly people: readonly Person[];
  /** The id after which the next page begins; null: there is none. */
  readonly after: number | null;
}

export interface AudienceProps {
  readonly messageId: string;
  /** Position of the log; null: now. */
  readonly at: number | null;
  readonly question: 'who-could-see' | 'readers';
  /** The label of the button. */
  readonly children: string;
}

/** Who could see a message at a time, or had read it. Loaded by a button, because each look is recorded. */
export function Audience({ messageId, at, question, children }: AudienceProps) {
  const [isOpen, open] = useState(false);
  const [pages, setPages] = useState<readonly number[]>([0]);
  const id = useId();
  return (
    <Stack gap="xs" align="stretch">
      <div>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => open((was) => !was)}
        >
          {children}
        </Button>
      </div>
      <div id={id}>
        {isOpen &&
          pages.map((after) => (
            <People
              key={after}
              path={`audit/messages/${messageId}/${question}`}
              parameters={{ limit: PAGE, ...(at !== null && { at }), ...(after > 0 && { after }) }}
              label={at === null ? children : `${children}, at position ${at}`}
              onMore={after === pages.at(-1) ? (next) => setPages([...pages, next]) : null}
            />
          ))}
      </div>
    </Stack>
  );
}

const PAGE = 200;

interface PeopleProps {
  readonly path: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly label: string;
  /** Loads the next page; null: it is already loaded. */
  readonly onMore: ((after: number) => void) | null;
}

function People({ path, parameters, label, onMore }: PeopleProps) {
  const query = useApi<Page>(path, parameters, { isReadOnce: parameters['at'] !== undefined });
  return (
    <Loaded query={query} of="the people">
      {({ count: all, people, after }) =>
        people.length === 0 ? (
          <Empty>Nobody.</Empty>
        ) : (
          <>
            {parameters['after'] === undefined && (
              <Text size="sm" c="dimmed" role="status">
                {count(all)} {all === 1 ? 'person' : 'people'}
              </Text>
            )}
            <PlainTable label={label} headings={headings}>
              {people.map((person) => (
                <PersonRow key={person.user_id} person={person} />
              ))}
            </PlainTable>
            {after !== null && onMore !== null && (
              <Button size="xs" variant="default" mt="xs" onClick={() => onMore(after)}>
                More people
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const headings = [{ title: 'Name' }, { title: 'How it was there' }, { title: 'Read' }] as const;

function PersonRow({ person }: { readonly person: Person }) {
  const { user_id: id, full_name: name, access, is_sender: isSender } = person;
  return (
    <Table.Tr>
      <Table.Td>
        <Link href={`/people/${id}`}>{name ?? `user ${id}`}</Link>{' '}
        {isSender && (
          <Badge size="xs" variant="default">
            sent it
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{access === 'received' ? 'received it' : 'as part of the history'}</Table.Td>
      <Table.Td>{readingOf(person)}</Table.Td>
    </Table.Tr>
  );
}

function readingOf({ has_read: hasRead, marked_read: markedRead, read_at: readAt }: Person): ReactNode {
  if (readAt !== null)
    return (
      <>
        read <Time at={readAt} />
      </>
    );
  if (hasRead) return 'yes';
  return markedRead ? 'marked as read' : 'no';
}
