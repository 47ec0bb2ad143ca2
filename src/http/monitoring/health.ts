import { withinTime } from '../../runtime/within-time.js';

/** Something that a server needs in order to serve. */
export interface HealthIndicator {
  /** Shown to operators, such as `event-store`. */
  readonly name: string;
  /**
   * Resolves when all is well; the error's message is shown to operators.
   *
   * @param without names of read models that do not count, because the node is wanted without them
   */
  check(without: ReadonlySet<string>): Promise<void>;
}

/** What every indicator said. */
export interface HealthReport {
  /** Figures that operators want to see beside the verdict, by name. */
  readonly figures: Readonly<Record<string, unknown>>;
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** An indicator that has not answered by then counts as failed. */
const CHECK_MILLISECONDS = 2_000;

/** Everything that has to be well for a server to be sent requests. Contexts register their indicators when they start. */
export class HealthIndicators {
  private readonly indicators: HealthIndicator[] = [];
  private readonly figures = new Map<string, () => unknown>();

  register(indicator: HealthIndicator): void {
    this.indicators.push(indicator);
  }

  /** Shows figures beside the verdict, which is theirs to explain and not to decide. */
  show(name: string, figures: () => unknown): void {
    this.figures.set(name, figures);
  }

  /**
   * Asks all of them at once; never rejects.
   *
   * @param without names of read models that do not count
   */
  async report(without: ReadonlySet<string> = new Set()): Promise<HealthReport> {
    const results = await Promise.all(
      this.indicators.map(
        async (indicator) => [indicator.name, await outcomeOf(indicator, without)] as const,
      ),
    );
    const figures = Object.fromEntries([...this.figures].map(([name, read]) => [name, read()]));
    return {
      ready: results.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(results),
      figures,
    };
  }
}

async function outcomeOf(indicator: HealthIndicator, without: ReadonlySet<string>): Promise<string> {
  const late = (): Error => new Error(`no answer in ${CHECK_MILLISECONDS} ms`);
  try {
    await withinTime(() => indicator.check(without), CHECK_MILLISECONDS, late);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
