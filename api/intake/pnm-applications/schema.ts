import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { flag, moment, recordId, searchText } from '../../../models/fields.js';
import { ATTACHMENT_KINDS, QUESTION_TYPES } from '../../../models/intake/pnm-config/vocabulary.js';
import { PnmApplication } from '../../../models/intake/pnm-applications/PnmApplication.js';
import { pageQuery } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';

export const ApplicationJson = rowJson(PnmApplication);

const answers = z.array(
  z
    .object({
      key: z.string(),
      label: z.string().meta({ description: 'The wording of the question when it was asked.' }),
      type: z.enum(QUESTION_TYPES),
      answer: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
    })
    .meta({ id: 'ApplicationAnswer' }),
);

export const ApplicationDetailJson = z
  .object({
    ...ApplicationJson.shape,
    answers,
    consents: z.array(
      z.object({
        template: z.uuid(),
        title: z.string(),
        version: z.int(),
        text_hash: z.string(),
        typed_name: z.string().nullable(),
      }),
    ),
    attachments: z.array(
      z
        .object({
          id: z.uuid(),
          kind: z.enum(ATTACHMENT_KINDS),
          name: z.string(),
          media_type: z.string().meta({ description: 'Detected from the content.' }),
          size_bytes: z.int(),
          created_at: moment,
          is_being_checked: z.boolean().meta({ description: 'The file cannot be downloaded before it is checked.' }),
        })
        .meta({ id: 'ApplicantFile' }),
    ),
    refused: z
      .array(z.enum(ATTACHMENT_KINDS))
      .meta({ description: 'Kinds of files that were infected and deleted; the applicant is asked for another.' }),
    versions: z.array(
      z.object({ submitted_at: moment, confirmed_at: moment.nullable(), is_current: z.boolean(), answers }),
    ),
  })
  .meta({ id: 'ApplicationDetail' });

export const ApplicationFilters = z.object({
  ...pageQuery,
  period: recordId.optional(),
  state: z.enum(['received', 'withdrawn']).optional(),
  flagged: flag
    .optional()
    .meta({ description: 'Applications whose address is known here, or whose average is below the minimum.' }),
  unverified: flag.optional().meta({ description: 'Applications whose email address is not confirmed.' }),
  search: searchText,
});

export const AttachmentParams = RowParams.extend({ attachment_id: recordId });
