import { useOperations, useProjections, type CommandReport, type ModelReport } from '../../api/operations.js';
import { Empty, Loaded, Panel } from '../../components/states.js';
import { BuildProgress } from '../models/build-progress.js';
import { CommandProgress } from '../models/command-progress.js';

/** The builds of read models that run, whoever or whatever started them, and the other commands. */
export function UnderWay() {
  const projections = useProjections();
  const operations = useOperations();
  return (
    <Panel title="Under way">
      <Loaded query={projections} of="the builds">
        {({ projections: models, head }) => (
          <Loaded query={operations} of="the commands">
            {({ orders }) => <Running models={models} head={head} commands={orders} />}
          </Loaded>
        )}
      </Loaded>
    </Panel>
  );
}

interface RunningProps {
  readonly models: readonly ModelReport[];
  readonly head: number | null;
  readonly commands: readonly CommandReport[];
}

function Running({ models, head, commands }: RunningProps) {
  const building = models.filter((model) => model.building !== null);
  const isBuilt = (name: string | null): boolean => building.some(({ projection }) => projection === name);
  // A command that builds a model is shown by its build, which also knows from where it was resumed.
  const others = commands.filter(
    ({ state, operation, projection }) =>
      state === 'running' && (operation === 'verify' || !isBuilt(projection)),
  );
  if (building.length + others.length === 0) return <Empty>Nothing.</Empty>;
  return (
    <>
      {building.map((model) => (
        <BuildProgress
          key={model.projection}
          projection={model.projection}
          building={model.building!}
          head={head}
        />
      ))}
      {others.map((command) => (
        <CommandProgress key={command.id} command={command} />
      ))}
    </>
  );
}
