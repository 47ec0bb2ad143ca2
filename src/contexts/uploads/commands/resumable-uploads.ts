import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FileUploaded } from '../../../events/uploads.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { ORGANIZATION_NUMBER } from '../../../kernel/api-constants.js';
import { ApplicationError, failure, isRefusal } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import { EncryptedFiles, type StoredFile } from '../../../stores/file-store/encrypted-files.js';
import { UploadFile } from './uploads.js';
import { IncomingFiles, newStorageName } from '../incoming-files.js';
import { UploadQuota } from '../upload-quota.js';
import { foldedUploads } from '../uploads.state.js';
import {
  assertGoesOn,
  decideAbandonResumable,
  decideExtendResumable,
  decideFinishResumable,
  decideStartResumable,
  ownResumable,
  refusalOf,
  type NewResumableUpload,
} from '../resumable/resumable-uploads.decide.js';
import { foldedResumableUploads, type ResumableUpload } from '../resumable/resumable-uploads.state.js';

/** How much of an upload was received, and the upload once it is complete; null: not yet. */
export interface ResumableProgress {
  readonly upload: ResumableUpload;
  readonly uploaded: EventOf<typeof FileUploaded>['data'] | null;
}

/** Starts a resumable upload. */
export class StartResumable extends Command<ResumableProgress> {
  constructor(
    readonly caller: Caller,
    readonly file: Pick<NewResumableUpload, 'name' | 'contentType' | 'size'>,
  ) {
    super();
  }
}

/**
 * Receives the next part of an upload; bytes that arrived count even if the client disconnects in the middle.
 */
export class ExtendResumable extends Command<ResumableProgress> {
  constructor(
    readonly caller: Caller,
    readonly resumableId: string,
    readonly part: { readonly from: number; readonly body: IncomingMessage },
  ) {
    super();
  }
}

/** Abandons an incomplete upload. */
export class AbandonResumable extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly resumableId: string,
  ) {
    super();
  }
}

/** Turns completely received files into uploads. */
@Injectable()
export class WholeFiles {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly files: EncryptedFiles,
  ) {}

  /**
   * Joins the parts; after a crash this is repeated, but the file becomes an upload only once.
   *
   * @throws ApplicationError `resumableRefused` when there is no space for it any more
   */
  async finish(caller: Caller, upload: ResumableUpload): Promise<ResumableProgress> {
    const { id: resumableId, name, contentType, parts } = upload;
    const ownerId = caller.userId;
    const stored = await this.files.put({ name: newStorageName(), ownerId }, this.contentOf(parts));
    const file = { name, contentType, stored };
    const commandId = commandIdOf(['resumable-upload', resumableId]);
    const uploaded = await this.commands
      .execute(new UploadFile(caller, file, commandId))
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    const { uploadId } = uploaded;
    await this.decisions.decide(caller, foldedResumableUploads, (resumable) =>
      decideFinishResumable(resumable, { resumableId, uploadId }),
    );
    return { upload, uploaded };
  }

  private async *contentOf(parts: readonly StoredFile[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      // Another request for the same part may have completed the upload meanwhile, so that the parts were removed.
      const content = await this.files.openExisting(part, null);
      if (content === null) throw failure('noSuchResumable');
      yield* content as AsyncIterable<Uint8Array>;
    }
  }
}

@CommandHandler(StartResumable)
export class StartResumableHandler implements ICommandHandler<StartResumable> {
  constructor(
    private readonly decisions: Decisions,
    private readonly streams: FoldedStreams,
    private readonly quota: UploadQuota,
    private readonly whole: WholeFiles,
  ) {}

  /** @throws ApplicationError those of {@link decideStartResumable} */
  async execute({ caller, file }: StartResumable): Promise<ResumableProgress> {
    const { state: uploads } = await this.streams.load(foldedUploads);
    const fresh = { id: randomBytes(20).toString('hex'), uploaderId: caller.userId, ...file };
    const { state } = await this.decisions.decide(caller, foldedResumableUploads, (resumable) =>
      decideStartResumable(resumable, fresh, { uploads, quota: this.quota }),
    );
    const upload = ownResumable(state, fresh.id, caller.userId);
    // An empty file has no parts to wait for.
    return upload.size === 0 ? this.whole.finish(caller, upload) : { upload, uploaded: null };
  }
}

@CommandHandler(ExtendResumable)
export class ExtendResumableHandler implements ICommandHandler<ExtendResumable> {
  constructor(
    private readonly decisions: Decisions,
    private readonly files: EncryptedFiles,
    private readonly whole: WholeFiles,
    private readonly incoming: IncomingFiles,
  ) {}

  /**
   * @throws ApplicationError those of {@link IncomingFiles.receive}, {@link decideExtendResumable} and {@link
   * WholeFiles.finish}
   */
  execute(command: ExtendResumable): Promise<ResumableProgress> {
    return this.incoming.receive(command.caller.userId, () => this.receive(command));
  }

  private async receive({
    caller,
    resumableId,
    part: { from, body },
  }: ExtendResumable): Promise<ResumableProgress> {
    const { userId: uploaderId } = caller;
    const before = ownResumable(await this.decisions.load(foldedResumableUploads), resumableId, uploaderId);
    assertGoesOn(before, from);
    const name = `${ORGANIZATION_NUMBER}/incoming/${randomBytes(20).toString('hex')}`;
    const part = await this.files.put({ name, ownerId: uploaderId }, boundedBody(body, before.size - from));
    const upload = part.size === 0 ? before : await this.extend(caller, { resumableId, from }, part);
    if (part.size === 0) await this.files.delete(part);
    return upload.offset === upload.size ? this.whole.finish(caller, upload) : { upload, uploaded: null };
  }

  /** A part is removed again if it is refused because another one came meanwhile. */
  private async extend(
    caller: Caller,
    place: { readonly resumableId: string; readonly from: number },
    part: StoredFile,
  ): Promise<ResumableUpload> {
    const extension = { ...place, uploaderId: caller.userId };
    try {
      const { state } = await this.decisions.decide(caller, foldedResumableUploads, (resumable) =>
        decideExtendResumable(resumable, extension, part),
      );
      return ownResumable(state, place.resumableId, caller.userId);
    } catch (error) {
      if (isRefusal(error)) await this.files.delete(part);
      throw error;
    }
  }
}

@CommandHandler(AbandonResumable)
export class AbandonResumableHandler implements ICommandHandler<AbandonResumable> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `noSuchResumable` */
  async execute({ caller, resumableId }: AbandonResumable): Promise<void> {
    await this.decisions.decide(caller, foldedResumableUploads, (resumable) => {
      const { id } = ownResumable(resumable, resumableId, caller.userId);
      return decideAbandonResumable(resumable, id, false);
    });
  }
}

/**
 * The bytes of a request's body.
 *
 * @param left maximum number of bytes
 * @throws ApplicationError `resumableRefused` when there are more
 */
async function* boundedBody(body: IncomingMessage, left: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    // The stream stays open if there are too many bytes, so that the client can read the error.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > left)
        throw failure('resumableRefused', { message: 'The part is longer than what is left of the file' });
      yield chunk;
    }
  } catch (error) {
    body.resume();
    // The client disconnected: it asks how much arrived, and continues there.
    if (error instanceof ApplicationError || body.complete) throw error;
  }
}
