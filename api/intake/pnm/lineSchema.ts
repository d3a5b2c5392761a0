import { z } from 'zod';
import { previewHash, recordId } from '../../../models/fields.js';
import { NOTICE_KINDS } from '../../../models/intake/lines/readLine.js';
import { CARRIED_FIELDS, FATES, PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { STUDENT_STATUSES } from '../../../models/organizations/vocabulary.js';
import { crossingFields, MAX_BULK_SIZE } from './schema.js';

const line_number = crossingFields.line_number.unwrap();

const Body = z.strictObject({
  pnm_ids: z
    .array(recordId)
    .min(1)
    .max(MAX_BULK_SIZE)
    .transform((ids) => [...new Set(ids)]),
  crossed_at: crossingFields.crossed_at,
  membership_status: z.enum(STUDENT_STATUSES).default('undergrad'),
  line_numbers: z
    .array(z.strictObject({ pnm: recordId, line_number }))
    .max(MAX_BULK_SIZE)
    .default([])
    .meta({
      description:
        'Numbers by person. A person who is left out keeps their current number. Numbers are unique within a line.',
    }),
  dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
  preview_hash: previewHash
    .optional()
    .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
});

export const LineBody = Body.superRefine(({ pnm_ids, line_numbers, dry_run, preview_hash }, context) => {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (!dry_run && preview_hash === undefined) refuse(['preview_hash'], 'Required. Preview it first, with dry_run.');
  for (const [n, entry] of line_numbers.entries()) {
    const earlier = line_numbers.slice(0, n);
    if (!pnm_ids.includes(entry.pnm)) refuse(['line_numbers', n, 'pnm'], 'Is not among pnm_ids.');
    if (earlier.some(({ pnm }) => pnm === entry.pnm)) refuse(['line_numbers', n, 'pnm'], 'Already has a number.');
    if (earlier.some((other) => other.line_number === entry.line_number))
      refuse(['line_numbers', n, 'line_number'], 'Another person in this line gets this number.');
  }
}).meta({ id: 'Line' });

const id = z.uuid();
const number = z.int().nullable();

export const LinePreviewJson = z
  .object({
    dry_run: z.literal(true),
    preview_hash: previewHash,
    totals: z.object({
      crossing: z.int(),
      refused: z.int().meta({ description: 'People who stay unchanged.' }),
      invited: z
        .int()
        .meta({ description: 'People who cross and are mailed an invitation, because they have no account yet.' }),
    }),
    members: z.array(
      z
        .object({
          pnm: id,
          membership: id,
          first_name: z.string(),
          last_name: z.string(),
          email: z.string().nullable(),
          stage: z.enum(PNM_STAGES),
          line_number: number.meta({ description: 'The line number after the crossing.' }),
          told_by: z.enum(NOTICE_KINDS).nullable().meta({
            description:
              'notification: also by mail, unless the person chose otherwise. Null: no mail is sent; the address was already mailed an invitation today.',
          }),
          fields: z
            .array(z.object({ field: z.enum(CARRIED_FIELDS), fate: z.enum(FATES) }))
            .meta({ description: 'The outcome for each field; never its value.' }),
          error: z.object({ code: z.string(), detail: z.string() }).nullable().meta({
            description: 'Why the person cannot cross.',
          }),
        })
        .meta({ id: 'LineMember' }),
    ),
  })
  .meta({ id: 'LinePreview' });

export const CrossedLineJson = z
  .object({
    crossed: z.array(
      z.object({ pnm: id, membership: id, crossing: id, line_number: number }).meta({ id: 'CrossedLineMember' }),
    ),
  })
  .meta({ id: 'CrossedLine' });
