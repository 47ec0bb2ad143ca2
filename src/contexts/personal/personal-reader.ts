import { Injectable } from '@nestjs/common';
import {
  personalModel,
  personalDocumentId,
  type BotStorageDocument,
  type CompletedStepDocument,
  type DraftDocument,
  type NavigationViewDocument,
  type RememberedDocument,
  type ReminderDocument,
  type SavedSnippetDocument,
  type ScheduledMessageDocument,
} from './read-model.js';
import type { Collection, Keyed } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** The collections that clients get as lists of texts. */
export type TextList = 'drafts' | 'reminders' | 'scheduled_messages' | 'saved_snippets';

/** What the documents of these have in common. */
type ListedDocument = Pick<DraftDocument, '_id' | 'userId' | 'content'> &
  Partial<Pick<ReminderDocument, 'html'>>;

/** Reads the model of drafts, reminders, scheduled messages and the like. */
@Injectable()
export class PersonalReader {
  constructor(private readonly models: ServingModels) {}

  drafts(): Promise<Collection<DraftDocument>> {
    return this.collection('drafts');
  }

  reminders(): Promise<Collection<ReminderDocument>> {
    return this.collection('reminders');
  }

  /** The messages that reminders are about, triggered reminders included. */
  remembered(): Promise<Collection<RememberedDocument>> {
    return this.collection('remembered');
  }

  scheduledMessages(): Promise<Collection<ScheduledMessageDocument>> {
    return this.collection('scheduled_messages');
  }

  savedSnippets(): Promise<Collection<SavedSnippetDocument>> {
    return this.collection('saved_snippets');
  }

  /** One of a person's saved snippets; null when it was deleted. */
  async savedSnippet(userId: number, snippetId: number): Promise<SavedSnippetDocument | null> {
    return (await this.savedSnippets()).findOne({ _id: personalDocumentId(userId, snippetId) });
  }

  /** Sizes of the texts in one of a person's lists, in UTF-16 units, HTML included, by {@link personalDocumentId}. */
  async sizesInList(list: TextList, userId: number): Promise<ReadonlyMap<string, number>> {
    const collection = await this.collection<ListedDocument>(list);
    const listed = await collection.find({ userId }, { projection: { content: 1, html: 1 } });
    return new Map(listed.map(({ _id, content, html = '' }) => [_id, content.length + html.length]));
  }

  navigationViews(): Promise<Collection<NavigationViewDocument>> {
    return this.collection('navigation_views');
  }

  botStorage(): Promise<Collection<BotStorageDocument>> {
    return this.collection('bot_storage');
  }

  /** Names of the onboarding steps that a person completed. */
  async completedSteps(userId: number): Promise<readonly string[]> {
    const steps = await this.collection<CompletedStepDocument>('onboarding_steps');
    return (await steps.find({ userId })).map(({ step }) => step);
  }

  /** One of a person's scheduled messages; null when it does not wait any more. */
  async scheduledMessage(userId: number, scheduledId: number): Promise<ScheduledMessageDocument | null> {
    return (await this.scheduledMessages()).findOne({ _id: personalDocumentId(userId, scheduledId) });
  }

  private async collection<D extends Keyed>(collection: string): Promise<Collection<D>> {
    const { name, collections } = personalModel;
    return (await this.models.get(name, collections)).collection<D>(collection);
  }
}
