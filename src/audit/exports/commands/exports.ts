import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ChannelStreams } from '../../../contexts/channels/channel-streams.js';
import { UploadReader } from '../../../contexts/uploads/upload-reader.js';
import type { ExportType } from '../../../events/exports.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import {
  assertMayExport,
  decideDeleteExport,
  decideDownloadExport,
  decideRequestExport,
  madeExport,
} from '../exports.decide.js';
import { foldedExports, type Export } from '../exports.state.js';

/** Requests an export, which is made in the background. Returns its number. */
export class RequestExport extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly type: ExportType,
  ) {
    super();
  }
}

@CommandHandler(RequestExport)
export class RequestExportHandler implements ICommandHandler<RequestExport> {
  constructor(
    private readonly decisions: Decisions,
    private readonly channels: ChannelStreams,
    private readonly uploads: UploadReader,
  ) {}

  /** @throws ApplicationError those of {@link decideRequestExport} */
  async execute({ caller, type }: RequestExport): Promise<number> {
    // Checked first, so that nothing is counted for a caller without permission.
    assertMayExport(type, this.decisions.actor(caller));
    const [messages, uploadBytes] = await Promise.all([
      this.channels.lastMessageId(),
      this.uploads.spaceUsed(),
    ]);
    const { state } = await this.decisions.decide(caller, foldedExports, (exports, actor) =>
      decideRequestExport(exports, { type, size: { messages, uploadBytes } }, actor),
    );
    return state.nextId - 1;
  }
}

/** Removes the file of an export. */
export class DeleteExport extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly exportId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteExport)
export class DeleteExportHandler implements ICommandHandler<DeleteExport> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError those of {@link decideDeleteExport} */
  async execute({ caller, exportId }: DeleteExport): Promise<void> {
    await this.decisions.decide(caller, foldedExports, (exports, actor) =>
      decideDeleteExport(exports, exportId, actor),
    );
  }
}

/** Records that somebody downloads an export. Returns the export. */
export class DownloadExport extends Command<Export & { readonly made: NonNullable<Export['made']> }> {
  constructor(
    readonly caller: Caller,
    readonly exportId: number,
    /** Whether the content is downloaded, which is recorded, and not only the headers. */
    readonly isRecorded: boolean,
  ) {
    super();
  }
}

@CommandHandler(DownloadExport)
export class DownloadExportHandler implements ICommandHandler<DownloadExport> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError those of {@link decideDownloadExport} */
  async execute({ caller, exportId, isRecorded }: DownloadExport): Promise<ReturnType<typeof madeExport>> {
    const { state } = await this.decisions.decide(caller, foldedExports, (exports, actor) => {
      const downloaded = decideDownloadExport(exports, exportId, actor);
      return isRecorded ? downloaded : [];
    });
    return madeExport(state, exportId);
  }
}
