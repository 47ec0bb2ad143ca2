import type { ProjectionProgress } from './progress.js';

/** Sends the latest progress of each model once per turn of the event loop, because many models pass the same event at once. */
export class ProgressOutbox {
  private readonly latest = new Map<string, ProjectionProgress>();

  constructor(private readonly send: (progress: readonly ProjectionProgress[]) => void) {}

  readonly report = (progress: ProjectionProgress): void => {
    if (this.latest.size === 0) setImmediate(() => this.flush());
    this.latest.set(progress.projection, progress);
  };

  flush(): void {
    if (this.latest.size === 0) return;
    const progress = [...this.latest.values()];
    this.latest.clear();
    this.send(progress);
  }
}
