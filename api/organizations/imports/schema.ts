import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { previewHash, recordId } from '../../../models/fields.js';
import { BulkImport, ON_EXISTING } from '../../../models/organizations/imports/BulkImport.js';
import { IMPORT_FIELDS } from '../../../models/organizations/imports/fields.js';
import { DAY_ORDERS } from '../../../models/organizations/imports/writtenDay.js';
import { LINE_OUTCOMES, LINE_RESULTS } from '../../../models/organizations/imports/listLines.js';
import { pageQuery } from '../../http/pagination.js';

export const ImportJson = rowJson(BulkImport);

const field = z.enum(IMPORT_FIELDS);
const columnNumber = z.int().min(0).max(99);

export const MappingBody = z
  .strictObject({
    mapping: z
      .partialRecord(field, columnNumber)
      .refine((mapping) => new Set(Object.values(mapping)).size === Object.keys(mapping).length, {
        message: 'A column says one field.',
      })
      .meta({
        description: 'Which column says which field: its number, from 0.',
        example: { email: 0, first_name: 1 },
      }),
    chapter: recordId.nullable().default(null).meta({ description: 'Of lines that name none.' }),
    day_order: z.enum(DAY_ORDERS).default('ymd').meta({
      description:
        'How days are written whose year comes last: `mdy` is 9/30/2024, `dmy` 30.9.2024. A year that comes first needs no order.',
    }),
  })
  .meta({ id: 'ImportMapping' });

export const ProcessBody = z
  .strictObject({
    preview_hash: previewHash,
    on_existing: z.enum(ON_EXISTING).meta({
      description:
        'Of members who are there: `skip` leaves them, `fill_empty` sets what is empty, `overwrite` sets whatever the file says.',
    }),
  })
  .meta({ id: 'ImportConfirmation' });

export const MendBody = z
  .strictObject({ values: z.partialRecord(field, z.string().max(2_000)) })
  .meta({ id: 'ImportLineEdit' });

export const LineFilters = z.object({
  ...pageQuery,
  outcome: z.enum(LINE_OUTCOMES).optional(),
  result: z.enum(LINE_RESULTS).optional(),
});

export const LineParams = z.object({ id: recordId, row_id: recordId });

const said = z.union([z.string(), z.number()]);

export const ImportLineJson = z
  .object({
    id: z.uuid(),
    line: z.int().meta({ description: 'As a spreadsheet counts.' }),
    cells: z.array(z.string()),
    chapter: z.uuid().nullable(),
    membership: z.uuid().nullable().meta({ description: 'Which it was found to be of, or made.' }),
    outcome: z.enum(LINE_OUTCOMES).nullable().meta({ description: 'By the preview; null before it.' }),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'By field.' }),
    warnings: z.array(z.string()).meta({ description: 'What is worth a look.' }),
    changes: z
      .record(z.string(), z.tuple([said.nullable(), said]))
      .meta({ description: 'By field: what is there, and what the file says.' }),
    fields_left: z.record(z.string(), z.string()).meta({
      description: 'By field: why it stays as it is, whatever the file says.',
      example: { phone_number: 'account_elsewhere' },
    }),
    result: z.enum(LINE_RESULTS).meta({ description: 'What became of it.' }),
    why: z.string().nullable().meta({ description: 'Why it was left, failed, or was kept.', example: 'signed_in' }),
  })
  .meta({ id: 'ImportLine' });
