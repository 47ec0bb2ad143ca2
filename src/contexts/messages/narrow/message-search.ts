import type { Filter, ModelStore, Sort } from '../../../stores/read-store/port.js';
import { messageAccess, type MessagePlace } from '../access.js';
import { hasId } from '../flags/id-ranges.js';
import type { MessageDocument } from '../message-document.js';
import { SearchedTexts } from '../text-search/searched-texts.js';
import type { MessageState } from '../view/message-cache.js';
import type { CompiledNarrow, FoundMessage, NarrowContext } from './compiled-narrow.js';
import type { MessageSource, Range } from './page.js';
import {
  checksEach,
  passingRows,
  search,
  type FindMessages,
  type Search,
  type SearchedRow,
} from './search.js';
import { everything, filterWithin } from './sources.js';

/** The fields that make a {@link MessagePlace}. */
const accessFields = { channelId: 1, arrival: 1, participantIds: 1, givenToIds: 1 } as const;

/** The fields that say where a message lies. */
export const placeFields = {
  channelId: 1,
  arrival: 1,
  givenToIds: 1,
  senderId: 1,
  readBySender: 1,
  readOnArrival: 1,
  mutedByIds: 1,
  topicKey: 1,
} as const;

/** Runs compiled narrows for one person, reading only the requested fields of messages. */
export class MessageSearch {
  private readonly searchedTexts = new WeakMap<CompiledNarrow['texts'], SearchedTexts>();

  constructor(
    private readonly model: ModelStore,
    private readonly context: NarrowContext,
  ) {}

  /** Source for pages of flags. */
  get places(): MessageSource<FoundMessage> {
    return this.source((narrow, range) => this.findPlaces(narrow, range));
  }

  /**
   * Source for pages of messages. Only ids and states are read here; the texts are read later, as far as they
   * fit into the reply.
   */
  get states(): MessageSource<MessageState> {
    return this.source((narrow, range) => this.findStates(narrow, range));
  }

  /** Source for pages that need only ids, which an index provides without reading messages. */
  get ids(): MessageSource<Pick<MessageDocument, '_id'>> {
    return this.source(async (narrow, range) => {
      const documents = await this.found(narrow, range, { _id: 1 });
      return documents.map(({ _id }) => ({ _id }));
    });
  }

  /** The places of messages that match a narrow, without their texts. */
  findPlaces(narrow: CompiledNarrow, range: Range): Promise<readonly FoundMessage[]> {
    return this.found(narrow, range, placeFields);
  }

  /** These fields of the messages that match a narrow; conditions on texts are not checked. */
  async found<Field extends keyof MessageDocument>(
    narrow: CompiledNarrow,
    range: Range,
    fields: Readonly<Record<Field, 1>>,
  ): Promise<readonly Pick<MessageDocument, '_id' | Field>[]> {
    const find = this.finding(fields);
    const rows = await search(narrow, { ...range, ...this.looking(narrow), find });
    return rows.map(({ document }) => document);
  }

  /** The states of those of these messages that exist and that the person may see. */
  statesOf(ids: readonly number[]): Promise<readonly MessageState[]> {
    return this.named(ids, { ...accessFields, changes: 1 });
  }

  /** The places of those of these messages that exist and that the person may see. */
  placesOf(ids: readonly number[]): Promise<readonly FoundMessage[]> {
    return this.named(ids, { ...placeFields, ...accessFields });
  }

  /** Ids of those of these messages that exist and that the person may see, in rising order. */
  async idsOf(ids: readonly number[]): Promise<readonly number[]> {
    return (await this.named(ids, accessFields)).map(({ _id }) => _id);
  }

  /** Those of these messages that match a narrow. */
  async among(ids: readonly number[], narrow: CompiledNarrow): Promise<readonly MessageState[]> {
    const filter = filterWithin(narrow, everything);
    if (filter === null || ids.length === 0) return [];
    const { listed } = narrow;
    const named = namedBy(listed === null ? ids : ids.filter((id) => hasId(listed, id)));
    const found = await this.findingChecked()({ $and: [named, filter] }, { _id: 1 }, ids.length);
    const seen = found.filter(({ document }) => this.sees(document));
    const passing = await passingRows(narrow, seen, this.textsFor(narrow));
    return passing.map(({ document }) => document);
  }

  /** Whether the person may see a message at this place. */
  sees(place: MessagePlace): boolean {
    return messageAccess(this.context, place) !== 'none';
  }

  private source<Row extends Pick<MessageDocument, '_id'>>(
    find: MessageSource<Row>['find'],
  ): MessageSource<Row> {
    return { find, firstIdAt: (timestamp) => this.firstIdAt(timestamp) };
  }

  private async firstIdAt(timestamp: number): Promise<number | null> {
    const filter = { timestamp: { $gte: timestamp } };
    const sort = { timestamp: 1, _id: 1 } as const;
    const [first] = await this.messages.find(filter, { sort, limit: 1, projection: { timestamp: 1 } });
    return first?._id ?? null;
  }

  /**
   * Finds messages that match a narrow, as states; other fields are read only of messages that must be
   * checked.
   */
  private async findStates(narrow: CompiledNarrow, range: Range): Promise<readonly MessageState[]> {
    const find: FindMessages<StateRow> = checksEach(narrow)
      ? this.findingChecked()
      : this.finding({ changes: 1 });
    const rows = await search<StateRow>(narrow, { ...range, ...this.looking(narrow), find });
    return rows.map(({ document: { _id, changes } }) => ({ _id, changes }));
  }

  private findingChecked(): FindMessages<CheckedRow> {
    return this.finding({ ...placeFields, ...accessFields, changes: 1 });
  }

  /** Shared by all ranges of a page, so that the topics of a word are looked up once. */
  private textsFor(narrow: CompiledNarrow): SearchedTexts {
    const known = this.searchedTexts.get(narrow.texts) ?? new SearchedTexts(this.model, narrow);
    this.searchedTexts.set(narrow.texts, known);
    return known;
  }

  /** How a search finds its candidates. */
  private looking(narrow: CompiledNarrow): Pick<Search<unknown>, 'findIds' | 'texts'> {
    const find = this.finding({ _id: 1 });
    return {
      texts: this.textsFor(narrow),
      findIds: async (filter, order, limit) => {
        const found = await find(filter, { _id: order }, limit);
        return found.map(({ document }) => document._id);
      },
    };
  }

  /** Finds messages, reading only the named fields. */
  private finding<Field extends keyof MessageDocument>(
    fields: Readonly<Record<Field, 1>>,
  ): FindMessages<{ readonly document: Pick<MessageDocument, '_id' | Field> }> {
    return async (filter: Filter, sort: Sort, limit: number) => {
      const documents = await this.messages.find(filter, { sort, limit, projection: fields });
      return documents.map((document) => ({ document }));
    };
  }

  /** The named fields of those of these messages that exist and that the person may see. */
  private async named<Field extends keyof MessageDocument>(
    ids: readonly number[],
    fields: Readonly<Record<Field | keyof typeof accessFields, 1>>,
  ): Promise<readonly Pick<MessageDocument, '_id' | Field | keyof typeof accessFields>[]> {
    const found = ids.length === 0 ? [] : await this.finding(fields)(namedBy(ids), { _id: 1 }, ids.length);
    return found.filter(({ document }) => this.sees(document)).map(({ document }) => document);
  }

  private get messages(): ReturnType<typeof this.model.collection<MessageDocument>> {
    return this.model.collection<MessageDocument>('messages');
  }
}

interface CheckedRow extends StateRow {
  readonly document: FoundMessage & MessagePlace & MessageState;
}

interface StateRow extends SearchedRow {
  readonly document: SearchedRow['document'] & MessageState;
}

function namedBy(ids: readonly number[]): Filter {
  return { _id: { $in: [...new Set(ids)] } };
}
