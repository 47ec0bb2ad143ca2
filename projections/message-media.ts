import {
  htmlOf,
  plainHtml,
  type MediaDocument,
  type MessageDocument,
} from '../src/contexts/messages/message-document.js';
import { FileUploaded, UploadDeleted, UploadImageExamined } from '../src/events/uploads.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { isImageType, isMediaType } from '../src/markdown/media.js';
import type { RenderReferences } from '../src/markdown/references.js';
import { renderMarkdown, type RenderedContent } from '../src/markdown/render.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type ModelReader,
} from './engine/projection.js';

/** Uploads that messages show, and the messages that wait for an image to be examined. */
export const onMedia = handlers(
  on(FileUploaded, { apply: uploaded }),
  on([UploadImageExamined, UploadDeleted], { applySlices: examined }),
);

/** How many messages are rendered again at once: any number may refer to one image. */
const MESSAGES_OF_SLICE = 100;

/** A text and what it is rendered with. */
interface RenderedText {
  readonly content: string;
  readonly references: RenderReferences;
}

/** The documents that {@link rendered} needs for a text. */
export function mediaReads({ references: { uploads = [] } }: RenderedText): readonly DocumentReference[] {
  return uploads.map((id) => ({ collection: 'media', id }));
}

/** Renders a text as HTML, and says which images it waits for. */
export function rendered(
  { content, references }: RenderedText,
  documents: LoadedDocuments,
): RenderedContent & Pick<MessageDocument, 'pendingReferences'> {
  const { uploads } = references;
  if (uploads === undefined) return { ...renderMarkdown(content, references), pendingReferences: null };
  const media = uploads.flatMap((id) => documents.get<MediaDocument>('media', id) ?? []);
  const isPending = media.some(({ isExamined }) => !isExamined);
  return {
    ...renderMarkdown(content, references, media),
    pendingReferences: isPending ? references : null,
  };
}

/** The HTML as a document stores it: null where it adds nothing to the text. */
export function keptHtml(html: string, content: string): string | null {
  return html === plainHtml(content) ? null : html;
}

function uploaded({ data }: Recorded<typeof FileUploaded>): readonly Change[] {
  const { uploadId, storageName, contentType } = data;
  if (!isMediaType(contentType)) return [];
  const put: MediaDocument = {
    _id: uploadId,
    storageName,
    contentType,
    image: null,
    isExamined: !isImageType(contentType),
  };
  return [{ collection: 'media', put }];
}

/** Records that an image was examined, or never will be: nothing must wait for a deleted one. */
async function* examined(
  { type, data }: Recorded<typeof UploadImageExamined | typeof UploadDeleted>,
  model: ModelReader,
): AsyncIterable<readonly Change[]> {
  const known = await model.collection<MediaDocument>('media').findOne({ _id: data.uploadId });
  if (known === null || known.isExamined) return;
  const image = type === 'UploadImageExamined' ? data.image : null;
  const put: MediaDocument = { ...known, image, isExamined: true };
  for await (const messages of messagesWith(data.uploadId, model)) {
    const waiting = messages.filter(({ pendingReferences }) => pendingReferences !== null);
    const media = await mediaOf(waiting, model);
    media.set(put._id, put);
    yield waiting.flatMap((message) => renderedAgain(message, media));
  }
  // Last, because it says that all messages are done.
  yield [{ collection: 'media', put }];
}

/** The messages that refer to an upload, a part at a time. */
async function* messagesWith(
  uploadId: number,
  model: ModelReader,
): AsyncIterable<readonly MessageDocument[]> {
  const messages = model.collection<MessageDocument>('messages');
  const options = { sort: { _id: 1 }, limit: MESSAGES_OF_SLICE } as const;
  for (let last = 0; ;) {
    const part = await messages.find({ uploadIds: uploadId, _id: { $gt: last } }, options);
    yield part;
    if (part.length < MESSAGES_OF_SLICE) return;
    last = part.at(-1)!._id;
  }
}

/** The media that the messages' texts refer to, by id. */
async function mediaOf(
  messages: readonly MessageDocument[],
  model: ModelReader,
): Promise<Map<number, MediaDocument>> {
  const ids = new Set(messages.flatMap(({ pendingReferences }) => pendingReferences?.uploads ?? []));
  const found = await model.collection<MediaDocument>('media').find({ _id: { $in: [...ids] } });
  return new Map(found.map((one) => [one._id, one]));
}

function renderedAgain(
  message: MessageDocument,
  known: ReadonlyMap<number, MediaDocument>,
): readonly Change[] {
  const { pendingReferences: references, content } = message;
  if (references === null) return [];
  const media = (references.uploads ?? []).flatMap((id) => known.get(id) ?? []);
  const again = renderMarkdown(content, references, media);
  const isPending = media.some(({ isExamined }) => !isExamined);
  const put: MessageDocument = {
    ...message,
    changes: message.changes + (again.html === htmlOf(message) ? 0 : 1),
    html: keptHtml(again.html, content),
    hasImage: again.hasImage,
    pendingReferences: isPending ? references : null,
  };
  return [{ collection: 'messages', put }];
}
