/** Types of files that texts of forums may have. */
import { forumErrors } from '../../../models/forums/errors.js';
import {
  DOCUMENT,
  type ForumPurpose,
  PRESENTATION,
  SPREADSHEET,
} from '../../../models/organizations/files/purposes.js';

/** How the content of a file is checked. */
type ContentCheck = 'image' | 'pdf' | 'office' | 'text';

export interface AttachmentType {
  purpose: ForumPurpose;
  mediaType: string;
  check: ContentCheck;
}

const image = (mediaType: string): AttachmentType => ({ purpose: 'forum_image', mediaType, check: 'image' });
const document = (mediaType: string, check: ContentCheck): AttachmentType => ({
  purpose: 'forum_document',
  mediaType,
  check,
});

const TYPE_OF_EXTENSION: Readonly<Record<string, AttachmentType>> = {
  png: image('image/png'),
  jpg: image('image/jpeg'),
  jpeg: image('image/jpeg'),
  webp: image('image/webp'),
  pdf: document('application/pdf', 'pdf'),
  docx: document(DOCUMENT, 'office'),
  xlsx: document(SPREADSHEET, 'office'),
  pptx: document(PRESENTATION, 'office'),
  txt: document('text/plain', 'text'),
  csv: document('text/csv', 'text'),
};

/** Creates the refusal of a file. @param message absent: its type is not accepted, or its parts do not agree */
export const refuseType = (message: string = forumErrors.attachment_type.detail) =>
  forumErrors.attachment_type(undefined, { file: [message] });

/**
 * Returns the type of a file by its name, if it is declared as that type.
 * @throws Refusal attachment_type
 */
export function typeOfAttachment({ name, mediaType }: { name: string; mediaType: string }): AttachmentType {
  const [, extension = ''] = /\.([a-z]+)$/.exec(name.toLowerCase()) ?? [];
  const type = Object.hasOwn(TYPE_OF_EXTENSION, extension) ? TYPE_OF_EXTENSION[extension] : undefined;
  if (type?.mediaType !== mediaType) throw refuseType();
  return type;
}
