import { Text } from '@mantine/core';
import { useOperations, useProjections, type ReactorReport } from '../../api/operations.js';
import { count, eventsBehind, plural } from '../../components/numbers.js';
import { Loaded, Panel } from '../../components/states.js';

/** Descriptions of the states of reactors that some process runs. */
const reactorStates: Readonly<Record<string, string>> = {
  acting: 'acting',
  halted: 'halted at an event',
  unavailable: 'waits for a store or a read model',
};

/** What reactors have acted on, and which of them have not. */
export function Reactors() {
  const operations = useOperations();
  const projections = useProjections();
  return (
    <Panel title="Reactors">
      <Loaded query={operations} of="the reactors">
        {({ reactors }) => (
          <Loaded query={projections} of="the read models">
            {({ head }) => <Progress reactors={reactors} head={head ?? 0} />}
          </Loaded>
        )}
      </Loaded>
    </Panel>
  );
}

interface ProgressProps {
  readonly reactors: readonly ReactorReport[];
  /** Position of the last event of the log. */
  readonly head: number;
}

function Progress({ reactors, head }: ProgressProps) {
  const running = reactors.filter(({ state }) => state !== 'standby');
  const amiss = running.filter(({ state, lagEvents }) => state !== 'acting' || (lagEvents ?? 0) > 0);
  const idle = reactors.length - running.length;
  return (
    <Text size="sm" component="div">
      {running.length > 0 &&
        `${plural(running.length - amiss.length, 'reactor')} of ${count(running.length)} have acted on everything up to position ${count(head)}. `}
      {idle > 0 && `No running process has reported that it runs ${plural(idle, 'reactor')}.`}
      {amiss.length > 0 && (
        <ul>
          {amiss.map(({ reactor, state, lagEvents, lastError }) => (
            <li key={reactor}>
              <b>{reactor}</b>: {reactorStates[state]}, {eventsBehind(lagEvents ?? 0)} behind. {lastError}
            </li>
          ))}
        </ul>
      )}
    </Text>
  );
}
