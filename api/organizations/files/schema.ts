import { z } from 'zod';
import { moment } from '../../../models/fields.js';
import { FILE_PURPOSES, UPLOAD_PURPOSES } from '../../../models/organizations/files/purposes.js';

export const UploadQuery = z.strictObject({
  purpose: z
    .enum(UPLOAD_PURPOSES)
    .default('request_document')
    .meta({ description: 'Purpose of the file. It determines the readers and the allowed media types.' }),
});

export const UploadForm = z.object({ file: z.string().meta({ format: 'binary' }) });

export const StoredFileJson = z
  .object({
    id: z.uuid(),
    purpose: z.enum(FILE_PURPOSES),
    name: z.string(),
    media_type: z.string().meta({ description: 'Determined from the first bytes of the file.' }),
    size_bytes: z.int(),
    sha256: z.string().meta({ description: 'In hexadecimal digits.' }),
    uploaded_by: z.uuid().nullable(),
    created_at: moment,
    is_being_checked: z.boolean().meta({ description: 'True until the file is scanned; it cannot be read before.' }),
  })
  .meta({ id: 'StoredFile' });
