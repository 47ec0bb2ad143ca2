import { isKnown } from '../projection-report.js';
import { act, type Problem, type ServerFacts } from './server-facts.js';

type Facts = Pick<ServerFacts, 'projections' | 'reactors'>;
type Model = Facts['projections'][number];

/** The stored checkpoint of a model is written less often than the process that keeps the model reports its progress. */
const LAG = 10;

/**
 * Problems of the read models and reactors that neither this process keeps nor any other one has reported. This process
 * knows only the stored checkpoints of such models, and nothing about such reactors.
 */
export function elsewhereProblems({ projections, reactors }: Facts): readonly Problem[] {
  const models = projections.filter((model) => !isKnown(model));
  const acting = reactors.filter(({ state }) => state === 'standby');
  const parts = [
    ...(models.length === 0 ? [] : [`keeps ${plural(models.length, 'read model')}`]),
    ...(acting.length === 0 ? [] : [`runs ${plural(acting.length, 'reactor')}`]),
  ];
  if (parts.length === 0) return [];
  return [
    act(
      `No running process has reported that it ${parts.join(' and ')}.`,
      'Start a process whose NODE_ROLES name the projector. If one runs, look at its log and its /health/ready: it may still be starting, or not reach MongoDB.',
      null,
    ),
    ...models.filter(({ lagSeconds }) => lagSeconds > LAG).map(behind),
  ];
}

function behind({ projection, lagSeconds }: Model): Problem {
  return act(
    `The read model ${projection}, which no running process keeps, is ${Math.round(lagSeconds)} s behind the log.`,
    'Start a process that keeps it.',
    'models',
  );
}

function plural(number: number, noun: string): string {
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`;
}
