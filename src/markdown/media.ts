/** What is known of an examined image. */
export type ImageFacts = {
  readonly contentType: string;
  /** In pixels, after applying the image's own orientation. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Whether browsers cannot show the file, so that the full image is offered in another format. */
  readonly isTranscoded: boolean;
};

/** An upload that a text may show instead of linking to it. */
export type UploadedMedia = {
  /** The part of its address after `/user_uploads/`, without the file name. */
  readonly storageName: string;
  readonly contentType: string;
  /** Null: it is no image, it cannot be shown, or it has not been examined yet. */
  readonly image: ImageFacts | null;
  /** Whether it has been examined; true for files that are no images. */
  readonly isExamined: boolean;
};

/** The largest thumbnail that clients are offered, in pixels. */
export const thumbnailSize = { width: 840, height: 560 } as const;

/** Names of the thumbnails of uploaded images, which `POST /register` announces. */
export const thumbnailNames = { still: '840x560.webp', animated: '840x560-anim.webp' } as const;

/** Shown until an image is examined. */
const LOADING_IMAGE = '/static/images/loading/loader-black.svg';

const imageTypes: ReadonlySet<string> = new Set(
  ['avif', 'gif', 'heic', 'jpeg', 'png', 'tiff', 'webp'].map((name) => `image/${name}`),
);
const audioTypes: ReadonlySet<string> = new Set(
  ['aac', 'flac', 'mpeg', 'wav', 'x-wav', 'vnd.wave'].map((name) => `audio/${name}`),
);
const videoTypes: ReadonlySet<string> = new Set(['mp4', 'webm', 'quicktime'].map((name) => `video/${name}`));

/** Whether files of this type are examined, to be shown in messages. */
export function isImageType(contentType: string): boolean {
  return imageTypes.has(contentType);
}

export function isAudioType(contentType: string): boolean {
  return audioTypes.has(contentType);
}

export function isVideoType(contentType: string): boolean {
  return videoTypes.has(contentType);
}

/** Whether messages show files of this type. */
export function isMediaType(contentType: string): boolean {
  return isImageType(contentType) || isAudioType(contentType) || isVideoType(contentType);
}

/** The name of the full-size version of an image that browsers cannot show. */
export function transcodedName({ width, height }: Pick<ImageFacts, 'width' | 'height'>): string {
  return `${width}x${height}.webp`;
}

const ownUpload = /^\/user_uploads\/(\d+\/[0-9a-f]{2}\/[0-9a-f]{38})\/[^/?#]+$/;

/** The stored file that an address on this server names; null: the address names none. */
export function storageNameAt(url: string): string | null {
  return ownUpload.exec(url)?.[1] ?? null;
}

/** The HTML attributes of an upload's image; null: it must not be shown. */
export function imageAttributes(
  url: string,
  { contentType, image, isExamined }: UploadedMedia,
): Readonly<Record<string, string>> | null {
  if (image === null) {
    return isImageType(contentType) && !isExamined
      ? { 'data-original-content-type': contentType, src: LOADING_IMAGE }
      : null;
  }
  const { width, height, isAnimated, isTranscoded } = image;
  const name = isAnimated ? thumbnailNames.animated : thumbnailNames.still;
  return {
    ...(isAnimated && { 'data-animated': 'true' }),
    'data-original-content-type': image.contentType,
    'data-original-dimensions': `${width}x${height}`,
    ...(isTranscoded && { 'data-transcoded-image': transcodedName(image) }),
    src: `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`,
  };
}
