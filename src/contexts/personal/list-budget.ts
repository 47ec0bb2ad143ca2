import { Injectable } from '@nestjs/common';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { renderMarkdown } from '../../markdown/render.js';
import type { ComposedText } from '../messages/sending/compose-text.js';
import { personalDocumentId } from './read-model.js';
import { PersonalReader, type TextList } from './personal-reader.js';

/** A text that is put into one of a person's lists. */
interface ListedText {
  readonly userId: number;
  /** Size in the list, in UTF-16 units, HTML included. */
  readonly size: number;
  /** Id of the item that it replaces; absent: none. */
  readonly replaces?: number;
}

/** The size of a text that is listed together with its HTML. */
export function sizeWithHtml({ content, references }: Pick<ComposedText, 'content' | 'references'>): number {
  return content.length + renderMarkdown(content, references).html.length;
}

/** The names of the lists in errors. */
const names: Readonly<Record<TextList, string>> = {
  drafts: 'drafts',
  reminders: 'reminders',
  scheduled_messages: 'scheduled messages',
  saved_snippets: 'saved snippets',
};

/** Keeps the lists of a person so short that clients can get each of them as a whole, when they register for instance. */
@Injectable()
export class ListBudget {
  constructor(private readonly reader: PersonalReader) {}

  /**
   * The read model has the contents of the list. Simultaneous requests may therefore exceed the budget together, by as much as they write. A
   * text that becomes shorter is never refused.
   *
   * @throws ApplicationError `listTooLong`
   */
  async assertRoomFor(list: TextList, { userId, size, replaces }: ListedText): Promise<void> {
    const sizes = await this.reader.sizesInList(list, userId);
    const before = replaces === undefined ? 0 : (sizes.get(personalDocumentId(userId, replaces)) ?? 0);
    if (size <= before) return;
    const all = [...sizes.values()].reduce((sum, one) => sum + one, size - before);
    if (all > budgets.listCharacters.max) throw failure('listTooLong', { reason: names[list] });
  }
}
