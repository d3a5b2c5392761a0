/** Purposes of files. The purpose decides the maximum size, the media types, and who may read the file. */

const MEGABYTE = 1024 * 1024;
export const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const PRESENTATION = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

/** Purposes of files that people upload. */
const PURPOSES = {
  /** A roster to import. */
  import: { maxBytes: 20 * MEGABYTE, mediaTypes: ['text/csv', SPREADSHEET] },
  /** A document that a person attaches to their request. */
  request_document: {
    maxBytes: 10 * MEGABYTE,
    mediaTypes: ['application/pdf', 'image/png', 'image/jpeg'],
    isScanned: true,
  },
} as const;

export type UploadPurpose = keyof typeof PURPOSES;

export const UPLOAD_PURPOSES = Object.keys(PURPOSES) as [UploadPurpose, ...UploadPurpose[]];

export const DOCUMENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const IMAGES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Purposes of files from applicants, and from authors of reference letters. Neither has an account. */
const APPLICANT_PURPOSES = {
  pnm_attachment: { maxBytes: 10 * MEGABYTE, mediaTypes: ['application/pdf', DOCUMENT, ...IMAGES], isScanned: true },
  /** Headshots are re-encoded, so that metadata such as place and camera is removed. */
  pnm_headshot: { maxBytes: 5 * MEGABYTE, mediaTypes: IMAGES, maxSide: 1024, isScanned: true },
  pnm_letter: { maxBytes: 10 * MEGABYTE, mediaTypes: ['application/pdf'], isScanned: true },
} as const;

/** Purposes of files that people attach to their texts in forums. */
const FORUM_PURPOSES = {
  /** Re-encoded, so it is not scanned. */
  forum_image: { maxBytes: 10 * MEGABYTE, mediaTypes: IMAGES, maxSide: 2048 },
  forum_document: {
    maxBytes: 20 * MEGABYTE,
    mediaTypes: ['application/pdf', DOCUMENT, SPREADSHEET, PRESENTATION, 'text/plain', 'text/csv'],
    isScanned: true,
  },
} as const;

export type ForumPurpose = keyof typeof FORUM_PURPOSES;

/** Uploads of these purposes are counted together, for the daily limit of a person. */
export const COUNTED_TOGETHER: readonly (readonly FilePurpose[])[] = [
  UPLOAD_PURPOSES,
  Object.keys(FORUM_PURPOSES) as ForumPurpose[],
];

/** Pictures that the public sees. They are not scanned: a re-encoded picture has none of the uploaded bytes. */
const PICTURE_PURPOSES = {
  /** The picture on the page of a campaign. */
  campaign_hero: { maxBytes: 5 * MEGABYTE, mediaTypes: IMAGES, maxSide: 1600 },
} as const;

/** Rules of each purpose that can be uploaded, by people with or without an account. */
export const UPLOAD_RULES: Record<UploadablePurpose, UploadRule> = {
  ...PURPOSES,
  ...APPLICANT_PURPOSES,
  ...FORUM_PURPOSES,
  ...PICTURE_PURPOSES,
};
export type UploadablePurpose =
  | UploadPurpose
  | ForumPurpose
  | keyof typeof APPLICANT_PURPOSES
  | keyof typeof PICTURE_PURPOSES;

interface UploadRule {
  maxBytes: number;
  mediaTypes: readonly string[];
  /** Longest side in pixels of a picture, which is re-encoded. Other files are stored as they are. */
  maxSide?: number;
  /**
   * Whether files of this purpose are scanned for viruses. If a scanner is configured, such a file cannot be read until
   * the scanner has found it clean.
   */
  isScanned?: true;
}

export const SCANNED_PURPOSES: readonly string[] = Object.entries<UploadRule>(UPLOAD_RULES).flatMap(
  ([name, { isScanned: scanned }]) => (scanned ? name : []),
);

/** All purposes. The platform itself writes the exports and drawn documents. */
export const FILE_PURPOSES = [
  ...UPLOAD_PURPOSES,
  'roster_export',
  'invoice_export',
  'drawn_document',
  'pnm_attachment',
  'pnm_headshot',
  'pnm_letter',
  'campaign_hero',
  'forum_image',
  'forum_document',
] as const;

export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** Number of leading bytes that identify a media type. */
export const HEAD_BYTES = 512;

const MAGIC: readonly [mediaType: string, bytes: string][] = [
  ['application/pdf', '255044462d'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  // An XLSX workbook is a zip archive, and these bytes begin any zip archive. The workbook reader checks the content.
  [SPREADSHEET, '504b0304'],
];

/**
 * Returns the media type by a file's first bytes, regardless of the type that the client sent; null if it is unknown.
 */
export function mediaTypeOf(head: Buffer): string | null {
  const hex = head.toString('hex');
  const [mediaType] = MAGIC.find(([, magic]) => hex.startsWith(magic)) ?? [];
  if (mediaType) return mediaType;
  // RIFF files may have other contents, so the WEBP marker is checked too.
  if (/^52494646.{8}57454250/.test(hex)) return 'image/webp';
  return isText(head) ? 'text/csv' : null;
}

/**
 * Reports whether the bytes are text. UTF-16 is recognized by its byte order mark; in other encodings, text has no
 * control characters except tab and line breaks.
 */
function isText(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return true;
  return head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
}
