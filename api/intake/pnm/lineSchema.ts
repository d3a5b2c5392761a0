import { z } from 'zod';
import { previewHash, recordId } from '../../../models/fields.js';
import { TELLINGS } from '../../../models/intake/lines/readLine.js';
import { CARRIED_FIELDS, FATES, PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { crossingFields, MOST_AT_ONCE } from './schema.js';

const line_number = crossingFields.line_number.unwrap();

const Body = z.strictObject({
  pnm_ids: z
    .array(recordId)
    .min(1)
    .max(MOST_AT_ONCE)
    .transform((ids) => [...new Set(ids)]),
  crossed_at: crossingFields.crossed_at,
  membership_status: z.enum(['undergrad', 'associate']).default('undergrad'),
  line_numbers: z
    .array(z.strictObject({ pnm: recordId, line_number }))
    .max(MOST_AT_ONCE)
    .default([])
    .meta({
      description: 'Who gets which; whoever is left out keeps the one that stands. Nobody of a line shares one.',
    }),
  dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
  preview_hash: previewHash
    .optional()
    .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
});

export const LineBody = Body.superRefine(({ pnm_ids, line_numbers, dry_run, preview_hash }, context) => {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (!dry_run && preview_hash === undefined) refuse(['preview_hash'], 'Required. Preview it first, with dry_run.');
  for (const [n, given] of line_numbers.entries()) {
    const before = line_numbers.slice(0, n);
    if (!pnm_ids.includes(given.pnm)) refuse(['line_numbers', n, 'pnm'], 'Is not among pnm_ids.');
    if (before.some(({ pnm }) => pnm === given.pnm)) refuse(['line_numbers', n, 'pnm'], 'Has a number already.');
    if (before.some((other) => other.line_number === given.line_number))
      refuse(['line_numbers', n, 'line_number'], 'Somebody else of this line gets it.');
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
      refused: z.int().meta({ description: 'Who stays as they are.' }),
      invited: z.int().meta({ description: 'Of who crosses, who has no account yet and is mailed an invitation.' }),
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
          line_number: number.meta({ description: 'Theirs once they have crossed.' }),
          told_by: z.enum(TELLINGS).nullable().meta({
            description:
              'notification: by mail, too, unless they chose otherwise. Null: nobody is mailed; their address had its invitation of the day.',
          }),
          fields: z
            .array(z.object({ field: z.enum(CARRIED_FIELDS), fate: z.enum(FATES) }))
            .meta({ description: 'What becomes of each; never a value.' }),
          error: z.object({ code: z.string(), detail: z.string() }).nullable().meta({
            description: 'Why they cannot cross.',
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
