import { Text } from '@mantine/core';
import { useOperations, useProjections } from '../../api/operations.js';
import { count, eventsBehind, plural } from '../../components/numbers.js';
import { Loaded, Panel } from '../../components/states.js';

const reactorStates = {
  acting: 'acting',
  halted: 'halted at an event',
  unavailable: 'waits for a store or a read model',
  standby: 'runs in another process',
} as const;

/** What reactors have acted on, and which of them have not. */
export function Reactors() {
  const operations = useOperations();
  const projections = useProjections();
  return (
    <Panel title="Reactors">
      <Loaded query={operations} of="the reactors">
        {({ reactors }) => {
          const amiss = reactors.filter(({ state, lagEvents }) => state !== 'acting' || (lagEvents ?? 0) > 0);
          return (
            <Text size="sm" component="div">
              {plural(reactors.length - amiss.length, 'reactor')} of {count(reactors.length)} have acted on
              everything up to position {count(projections.data?.head ?? 0)}.
              {amiss.length > 0 && (
                <ul>
                  {amiss.map(({ reactor, state, lagEvents, lastError }) => (
                    <li key={reactor}>
                      <b>{reactor}</b>: {reactorStates[state]}, {eventsBehind(lagEvents ?? 0)} behind.{' '}
                      {lastError}
                    </li>
                  ))}
                </ul>
              )}
            </Text>
          );
        }}
      </Loaded>
    </Panel>
  );
}
