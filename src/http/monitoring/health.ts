import { withinTime } from '../../runtime/within-time.js';

/** Something that must work for a server to serve. */
interface HealthIndicator {
  /** Name for operators, such as `event-store`. */
  readonly name: string;
  /**
   * Resolves when everything is well; the error's message is shown to operators.
   *
   * @param without names of read models whose failure does not count
   */
  check(without: ReadonlySet<string>): Promise<void>;
}

/** The results of all indicators. */
interface HealthReport {
  /** Figures for operators, by name. */
  readonly figures: Readonly<Record<string, unknown>>;
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** An indicator that takes longer than this counts as failed. */
const CHECK_MILLISECONDS = 2_000;

/**
 * Everything that must be well for a server to get requests. Contexts register their indicators when they
 * start.
 */
export class HealthIndicators {
  private readonly indicators: HealthIndicator[] = [];
  private readonly figures = new Map<string, () => unknown>();

  register(indicator: HealthIndicator): void {
    this.indicators.push(indicator);
  }

  /** Adds figures to the report; they do not affect whether it is healthy. */
  show(name: string, figures: () => unknown): void {
    this.figures.set(name, figures);
  }

  /**
   * Checks all indicators concurrently; never rejects.
   *
   * @param without names of read models whose failure does not count
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

/** Whether the server is shutting down. */
export class Draining {
  private readonly controller = new AbortController();

  /** Aborted when shutdown begins: open requests such as long polls are answered then. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Begins the shutdown: the server is not ready for new clients any more. */
  begin(): void {
    this.controller.abort();
  }
}
