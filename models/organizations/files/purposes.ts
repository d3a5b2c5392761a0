/** What files are for: that decides how large they may be, what they may hold, and who sees them. */

const MEGABYTE = 1024 * 1024;
export const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Of those that people upload. */
const PURPOSES = {
  /** A roster that is to be imported. */
  import: { mostBytes: 20 * MEGABYTE, mediaTypes: ['text/csv', SPREADSHEET] },
  /** What somebody shows with a request of theirs. */
  request_document: {
    mostBytes: 10 * MEGABYTE,
    mediaTypes: ['application/pdf', 'image/png', 'image/jpeg'],
    scanned: true,
  },
} as const;

export type UploadPurpose = keyof typeof PURPOSES;

export const UPLOAD_PURPOSES = Object.keys(PURPOSES) as [UploadPurpose, ...UploadPurpose[]];

export const DOCUMENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const IMAGES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Of those that applicants give, and who writes letters about them: neither has an account. */
const APPLICANT_PURPOSES = {
  pnm_attachment: { mostBytes: 10 * MEGABYTE, mediaTypes: ['application/pdf', DOCUMENT, ...IMAGES], scanned: true },
  /** Drawn anew: nothing of where and with what it was taken stays. */
  pnm_headshot: { mostBytes: 5 * MEGABYTE, mediaTypes: IMAGES, redraws: true, scanned: true },
  pnm_letter: { mostBytes: 10 * MEGABYTE, mediaTypes: ['application/pdf'], scanned: true },
} as const;

/** What may be taken in, by whomever. */
export const TAKEN: Record<TakenPurpose, Taken> = {
  ...PURPOSES,
  ...APPLICANT_PURPOSES,
};
export type TakenPurpose = UploadPurpose | keyof typeof APPLICANT_PURPOSES;

interface Taken {
  mostBytes: number;
  mediaTypes: readonly string[];
  redraws?: true;
  /** Where there is a scanner, nobody reads it before that has called it clean. */
  scanned?: true;
}

export const SCANNED: readonly string[] = Object.entries<Taken>(TAKEN).flatMap(([name, { scanned }]) =>
  scanned ? name : [],
);

/** Rosters and invoices as files, and documents are written by the platform. */
export const FILE_PURPOSES = [
  ...UPLOAD_PURPOSES,
  'roster_export',
  'invoice_export',
  'drawn_document',
  'pnm_attachment',
  'pnm_headshot',
  'pnm_letter',
] as const;

export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** Bytes of a file's beginning that say what it is. */
export const HEAD_BYTES = 512;

const MAGIC: readonly [mediaType: string, bytes: string][] = [
  ['application/pdf', '255044462d'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  // A zip archive whose first entry is one of a workbook; whether it is one, its reader finds out.
  [SPREADSHEET, '504b0304'],
];

/** What bytes are, by how they begin, whatever their sender calls them; null for what we do not know. */
export function mediaTypeOf(head: Buffer): string | null {
  const hex = head.toString('hex');
  const [known] = MAGIC.find(([, magic]) => hex.startsWith(magic)) ?? [];
  if (known) return known;
  // RIFF has other contents, too.
  if (/^52494646.{8}57454250/.test(hex)) return 'image/webp';
  return isText(head) ? 'text/csv' : null;
}

/** UTF-16 says so with its first two bytes; in the other encodings text has no control characters but tab and line ends. */
function isText(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return true;
  return head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
}
