import { Text } from '@mantine/core';
import { useApi } from '../../api/use-api.js';
import { Loaded, Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';

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

/** What an account could see of the message. */
export function Views({ id, as }: { readonly id: string; readonly as: string }) {
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
