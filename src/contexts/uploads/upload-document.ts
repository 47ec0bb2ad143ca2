/** An upload as the read model keeps it. */
export type UploadDocument = {
  /** Its id. */
  readonly _id: number;
  readonly uploaderId: number;
  readonly storageName: string;
  readonly contentKey: string;
  /** As its uploader called it. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the UNIX epoch. */
  readonly createdAt: number;
};

/** How much room all uploads take: one document, {@link uploadSpaceDocumentId}. */
export type UploadSpaceDocument = {
  readonly _id: string;
  readonly bytes: number;
};

/** What everybody's files take is one document. */
export const uploadSpaceDocumentId = 'all';
