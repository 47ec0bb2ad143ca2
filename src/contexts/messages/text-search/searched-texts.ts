import type { ModelStore } from '../../../stores/read-store/port.js';
import type { CompiledNarrow } from '../narrow/compiled-narrow.js';
import type { IndexScan } from '../narrow/sources.js';
import { QueryIndex, type SearchedRow } from './query-index.js';
import { isVague } from './text-query.js';

/** Checks the conditions of a narrow on texts by the index of terms. */
export class SearchedTexts {
  private readonly sought: QueryIndex | null;
  private readonly unwanted: readonly QueryIndex[];

  constructor(model: ModelStore, { texts }: Pick<CompiledNarrow, 'texts'>) {
    this.sought = texts.sought && new QueryIndex(model, texts.sought);
    this.unwanted = texts.unwanted
      .filter((query) => !isVague(query))
      .map((query) => new QueryIndex(model, query));
  }

  /**
   * The index scans for the searched texts, in direct messages and these channels; empty: nothing is searched
   * for.
   */
  scans(channelIds: ReadonlySet<number>): Promise<readonly IndexScan[]> {
    return this.sought?.scans(channelIds) ?? Promise.resolve([]);
  }

  /** Those of the messages that the index of terms alone does not exclude. */
  async possible(ids: readonly number[]): Promise<readonly number[]> {
    let left = ids;
    for (const query of this.unwanted) {
      const answering = await query.knownToAnswer(left);
      left = left.filter((id) => !answering.has(id));
    }
    return left;
  }

  /** Those of the messages whose texts meet the conditions of the narrow, in their order. */
  async passing<Row extends SearchedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    let left = this.sought === null ? rows : await this.sought.answering(rows);
    for (const query of this.unwanted) {
      const answering = new Set(await query.answering(left));
      left = left.filter((row) => !answering.has(row));
    }
    return left;
  }
}
