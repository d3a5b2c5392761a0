import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { inputMoment, previewHash, text } from '../../../models/fields.js';
import { RecruitmentPeriod } from '../../../models/intake/recruitment-periods/RecruitmentPeriod.js';
import { PNM_STAGES } from '../../../models/intake/vocabulary.js';

export const RecruitmentPeriodJson = rowJson(RecruitmentPeriod);

const opens_at = inputMoment.meta({ example: '2026-09-01T04:00:00.000Z' });
const closes_at = inputMoment.meta({ example: '2026-10-01T04:00:00.000Z' });

export const RecruitmentPeriodCreate = z
  .strictObject({ ...createBody(RecruitmentPeriod).shape, opens_at, closes_at })
  .refine((period) => Date.parse(period.opens_at) < Date.parse(period.closes_at), {
    path: ['closes_at'],
    message: 'Must be after opens_at.',
  })
  .meta({ id: 'RecruitmentPeriodCreate' });

export const RecruitmentPeriodEdit = z
  .strictObject({
    ...editBody(RecruitmentPeriod).shape,
    opens_at: opens_at.optional(),
    closes_at: closes_at.optional(),
  })
  .meta({ id: 'RecruitmentPeriodEdit' });

export const CloseBody = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
    preview_hash: previewHash.optional().meta({ description: 'Required without dry_run.' }),
  })
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, {
    path: ['preview_hash'],
    message: 'Required. Preview it first, with dry_run.',
  })
  .meta({ id: 'RecruitmentPeriodClose' });

export const ReopenBody = z.strictObject({ reason: text(500) }).meta({ id: 'RecruitmentPeriodReopen' });

/** Maximum number of people in a preview. */
export const MAX_PREVIEW_PEOPLE = 500;

export const ClosePreviewJson = z
  .object({
    dry_run: z.literal(true),
    preview_hash: previewHash,
    totals: z.object({
      undecided: z.int().meta({ description: 'People who are rejected.' }),
      told: z.int().meta({ description: 'People among them who have an account, so they are notified.' }),
    }),
    warnings: z.array(z.string()).meta({
      description: 'States how many people are not notified that they are rejected.',
      example: [
        'No one is notified that they are rejected: people without an account get no message. Write to them yourself.',
      ],
    }),
    undecided: z
      .array(
        z.object({
          pnm: z.uuid(),
          chapter: z.uuid(),
          first_name: z.string(),
          last_name: z.string(),
          stage: z.enum(PNM_STAGES),
          is_told: z.boolean(),
        }),
      )
      .meta({ description: `At most ${MAX_PREVIEW_PEOPLE}.` }),
    has_more: z.boolean(),
  })
  .meta({ id: 'RecruitmentPeriodClosePreview' });

const counts = Object.fromEntries(PNM_STAGES.map((stage) => [stage, z.int()])) as Record<
  (typeof PNM_STAGES)[number],
  z.ZodInt
>;

export const StatisticsJson = z.array(
  z
    .object({ chapter: z.uuid(), chapter_name: z.string(), total: z.int(), ...counts })
    .meta({ id: 'RecruitmentStatistics' }),
);
