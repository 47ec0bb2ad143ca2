/** What an examined image is, as it is shown. */
export type ImageFacts = {
  readonly contentType: string;
  /** Pixels, turned as the image says of itself. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Whether no browser shows the file itself, so that the whole of it is offered in another format. */
  readonly isTranscoded: boolean;
};

/** An upload that a text may show rather than link to. */
export type UploadedMedia = {
  /** What its address holds behind `/user_uploads/`, but for the name of the file. */
  readonly storageName: string;
  readonly contentType: string;
  /** Null: it is no image, cannot be shown, or nobody has looked yet. */
  readonly image: ImageFacts | null;
  /** Whether an image was looked into; true for what is none. */
  readonly isExamined: boolean;
};

/** The largest thumbnail that clients are offered, in pixels. */
export const thumbnailSize = { width: 840, height: 560 } as const;

/** How the thumbnails of uploaded images are called: register announces them by these names. */
export const thumbnailNames = { still: '840x560.webp', animated: '840x560-anim.webp' } as const;

/** What is shown while nobody has looked into an image yet. */
const loadingImage = '/static/images/loading/loader-black.svg';

const imageTypes: ReadonlySet<string> = new Set(
  ['avif', 'gif', 'heic', 'jpeg', 'png', 'tiff', 'webp'].map((name) => `image/${name}`),
);
const audioTypes: ReadonlySet<string> = new Set(
  ['aac', 'flac', 'mpeg', 'wav', 'x-wav', 'vnd.wave'].map((name) => `audio/${name}`),
);
const videoTypes: ReadonlySet<string> = new Set(['mp4', 'webm', 'quicktime'].map((name) => `video/${name}`));

/** Whether an uploaded file is looked into to be shown in messages. */
export function isImageType(contentType: string): boolean {
  return imageTypes.has(contentType);
}

export function isAudioType(contentType: string): boolean {
  return audioTypes.has(contentType);
}

export function isVideoType(contentType: string): boolean {
  return videoTypes.has(contentType);
}

/** Whether messages show such a file themselves. */
export function isMediaType(contentType: string): boolean {
  return isImageType(contentType) || isAudioType(contentType) || isVideoType(contentType);
}

/** The name of the format in which the whole of an image is offered that browsers do not show. */
export function transcodedName({ width, height }: Pick<ImageFacts, 'width' | 'height'>): string {
  return `${width}x${height}.webp`;
}

const ownUpload = /^\/user_uploads\/(\d+\/[0-9a-f]{2}\/[0-9a-f]{38})\/[^/?#]+$/;

/** The stored file that an address on this server names; null when it names none. */
export function storageNameAt(url: string): string | null {
  return ownUpload.exec(url)?.[1] ?? null;
}

/** What an image of an upload says of itself, by the names of its attributes; null when it is not to be shown. */
export function imageAttributes(
  url: string,
  { contentType, image, isExamined }: UploadedMedia,
): Readonly<Record<string, string>> | null {
  if (image === null) {
    return isImageType(contentType) && !isExamined
      ? { 'data-original-content-type': contentType, src: loadingImage }
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
