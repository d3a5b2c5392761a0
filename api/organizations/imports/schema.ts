import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { previewHash, recordId } from '../../../models/fields.js';
import { BulkImport, ON_EXISTING } from '../../../models/organizations/imports/BulkImport.js';
import { IMPORT_FIELDS } from '../../../models/organizations/imports/fields.js';
import { DAY_ORDERS } from '../../../models/organizations/imports/normalizeDay.js';
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
        message: 'A column can be mapped to one field only.',
      })
      .meta({
        description: 'Column number (from 0) of each field.',
        example: { email: 0, first_name: 1 },
      }),
    chapter: recordId.nullable().default(null).meta({ description: 'Chapter of lines that name none.' }),
    day_order: z.enum(DAY_ORDERS).default('ymd').meta({
      description:
        'Order of dates whose year comes last: `mdy` is 9/30/2024, `dmy` is 30.9.2024. Dates that begin with the year need no order.',
    }),
  })
  .meta({ id: 'ImportMapping' });

export const ProcessBody = z
  .strictObject({
    preview_hash: previewHash,
    on_existing: z.enum(ON_EXISTING).meta({
      description:
        'For existing members: `skip` leaves them unchanged, `fill_empty` sets empty fields only, `overwrite` sets every field that the file contains.',
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

const cellValue = z.union([z.string(), z.number()]);

export const ImportLineJson = z
  .object({
    id: z.uuid(),
    line: z.int().meta({ description: 'Line number as in a spreadsheet.' }),
    cells: z.array(z.string()),
    chapter: z.uuid().nullable(),
    membership: z.uuid().nullable().meta({ description: 'The membership that the line matches or created.' }),
    outcome: z.enum(LINE_OUTCOMES).nullable().meta({ description: 'Outcome of the preview; null before it.' }),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'By field.' }),
    warnings: z.array(z.string()).meta({ description: 'Warnings that you should check.' }),
    changes: z
      .record(z.string(), z.tuple([cellValue.nullable(), cellValue]))
      .meta({ description: 'By field: the current value and the value in the file.' }),
    fields_left: z.record(z.string(), z.string()).meta({
      description: 'By field: why the field is not changed by the file.',
      example: { phone_number: 'account_elsewhere' },
    }),
    result: z.enum(LINE_RESULTS).meta({ description: 'Result of the import.' }),
    why: z
      .string()
      .nullable()
      .meta({ description: 'Reason why the line was skipped, failed, or was kept.', example: 'signed_in' }),
  })
  .meta({ id: 'ImportLine' });
