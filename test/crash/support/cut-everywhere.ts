import { openTemporaryStores, type TemporaryStores } from '../../support/temporary-stores.js';
import { PowerCutError, type Life } from './mortal-stores.js';
import { NodeProcess } from './node-process.js';

/** A process that dies when its life says so. */
export interface MortalProcess {
  readonly life: Life;
  /** Resolves when everything that follows from what it did is done, or it is dead. */
  untilReactorsPassed(): Promise<void>;
  stop(): Promise<void>;
}

/** A command, what was there before it, and what must hold wherever it was cut off. */
export interface Scenario<Given, Process = NodeProcess> {
  given(process: Process): Promise<Given>;
  when(process: Process, given: Given): Promise<unknown>;
  /**
   * What holds after the next start.
   *
   * @param cut the durable write that the process died of; null when it did not die
   */
  then(process: Process, given: Given, cut: string | null): Promise<void>;
}

/**
 * Cuts a command off before each of its durable writes in turn, those of the reactors that follow it included, starts again
 * and looks at what became of it.
 *
 * @returns the durable writes that were made, in the order of the run that was not cut off
 */
export function cutEverywhere<Given>(scenario: Scenario<Given>): Promise<readonly string[]> {
  return cutProcessesEverywhere((stores) => NodeProcess.start(stores), scenario);
}

/** Does the same with processes of another kind. */
export async function cutProcessesEverywhere<Given, Process extends MortalProcess>(
  startProcess: (stores: TemporaryStores) => Promise<Process>,
  scenario: Scenario<Given, Process>,
): Promise<readonly string[]> {
  for (let writes = 0; ; writes += 1) {
    const made = await cutAfter(writes, startProcess, scenario);
    if (made !== null) return made;
  }
}

/** Answers the writes that were made when the process got through. */
async function cutAfter<Given, Process extends MortalProcess>(
  writes: number,
  startProcess: (stores: TemporaryStores) => Promise<Process>,
  scenario: Scenario<Given, Process>,
): Promise<readonly string[] | null> {
  let stores = await openTemporaryStores();
  const processes: Process[] = [];
  const start = async (): Promise<Process> => {
    const process = await startProcess(stores);
    processes.push(process);
    await process.untilReactorsPassed();
    return process;
  };
  try {
    const doomed = await start();
    const given = await scenario.given(doomed);
    await doomed.untilReactorsPassed();
    const { life } = doomed;
    life.end(writes);
    await scenario.when(doomed, given).catch(ignorePowerCut);
    await doomed.untilReactorsPassed();
    const died = life.isOver;
    const made = [...life.writes];
    life.end(0);
    await doomed.stop();

    stores = await stores.reopen();
    const next = await start();
    await scenario.then(next, given, died ? (made.at(-1) ?? null) : null);
    return died ? null : made;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Cut off behind ${writes} writes: ${message}`, { cause: error });
  } finally {
    for (const process of processes) await process.stop();
    await stores.dispose();
  }
}

function ignorePowerCut(error: unknown): void {
  if (!(error instanceof PowerCutError)) throw error;
}
