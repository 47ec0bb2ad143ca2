import {
  htmlOf,
  plainHtml,
  type MediaDocument,
  type MessageDocument,
} from '../src/contexts/messages/message-document.js';
import { FileUploaded, UploadDeleted, UploadImageExamined } from '../src/events/uploads.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/on.js';
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
  on([UploadImageExamined, UploadDeleted], { applyAlone: examined }),
);

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
async function examined(
  { type, data }: Recorded<typeof UploadImageExamined | typeof UploadDeleted>,
  model: ModelReader,
): Promise<readonly Change[]> {
  const known = await model.collection<MediaDocument>('media').findOne({ _id: data.uploadId });
  if (known === null || known.isExamined) return [];
  const image = type === 'UploadImageExamined' ? data.image : null;
  const put: MediaDocument = { ...known, image, isExamined: true };
  const messages = await model
    .collection<MessageDocument>('messages')
    .find({ uploadIds: data.uploadId }, { sort: { _id: 1 } });
  const changed = await Promise.all(messages.map((message) => renderedAgain(message, put, model)));
  return [{ collection: 'media', put }, ...changed.flat()];
}

async function renderedAgain(
  message: MessageDocument,
  examinedMedia: MediaDocument,
  model: ModelReader,
): Promise<readonly Change[]> {
  const { pendingReferences: references, content } = message;
  if (references === null) return [];
  const found = await model
    .collection<MediaDocument>('media')
    .find({ _id: { $in: [...(references.uploads ?? [])] } });
  const media = found.map((one) => (one._id === examinedMedia._id ? examinedMedia : one));
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
