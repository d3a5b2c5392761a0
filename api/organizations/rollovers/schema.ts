import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { cents, previewHash, recordId } from '../../../models/fields.js';
import { LINE_OUTCOMES } from '../../../models/organizations/rollovers/listLines.js';
import { PREVIEW_LINES } from '../../../models/organizations/rollovers/previewRollover.js';
import { Rollover } from '../../../models/organizations/rollovers/Rollover.js';
import { GRADUATION_SEASONS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageQuery } from '../../http/pagination.js';

const MOST_IDS = 1_000;

const { academic_year, through_season, to_status } = createBody(Rollover).shape;

export const RolloverRequest = z
  .strictObject({
    academic_year,
    through_season,
    to_status,
    chapters: z.array(recordId).min(1).max(MOST_IDS).optional().meta({ description: 'Only these; left out: all.' }),
    except: z.array(recordId).max(MOST_IDS).default([]).meta({ description: 'Memberships that stay as they are.' }),
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
  })
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, {
    path: ['preview_hash'],
    message: 'Required. Preview it first, with dry_run.',
  })
  .meta({ id: 'RolloverRequest' });

const id = z.uuid();
const season = z.enum(GRADUATION_SEASONS).nullable();
const line = {
  membership: id,
  chapter: id,
  name: z.string(),
  status: z.enum(MEMBERSHIP_STATUSES),
  role: z.enum(MEMBERSHIP_ROLES),
};

export const RolloverPreview = z
  .object({
    dry_run: z.literal(true),
    academic_year: z.int(),
    through_season: z.enum(GRADUATION_SEASONS),
    to_status: z.enum(MEMBERSHIP_STATUSES),
    preview_hash: previewHash,
    totals: z.object({
      members: z.int().meta({ description: 'Who is moved.' }),
      chapters: z.int(),
      in_office: z.int().meta({ description: 'Of them, whose office ends where the new status lets nobody hold one.' }),
      owing: z.int().meta({ description: 'Of them, who owe: what their credit does not pay stays due.' }),
      owing_cents: cents,
      without_year: z
        .int()
        .meta({ description: 'Undergraduates and associates without a year: they are never moved.' }),
    }),
    chapters: z.array(
      z.object({
        chapter: id,
        chapter_name: z.string(),
        members: z.int(),
        in_office: z.int(),
        owing: z.int(),
        without_year: z.int(),
      }),
    ),
    lines: z
      .array(
        z.object({
          ...line,
          graduation_year: z.int(),
          graduation_season: season,
          in_office: z.boolean(),
          balance_due_cents: cents,
        }),
      )
      .meta({
        description: `Who is moved, at most ${PREVIEW_LINES}: who is in office or owes comes first. Name chapters to see others.`,
      }),
    has_more_lines: z.boolean(),
    without_year: z.array(z.object(line)).meta({ description: `Who is not, at most ${PREVIEW_LINES}.` }),
    has_more_without_year: z.boolean(),
  })
  .meta({ id: 'RolloverPreview' });

export const RolloverJson = rowJson(Rollover);

export const LineFilters = z.object({ ...pageQuery, outcome: z.enum(LINE_OUTCOMES).optional() });

export const RolloverLineJson = z
  .object({
    membership: id,
    chapter: id,
    first_name: z.string(),
    last_name: z.string(),
    status: line.status.meta({ description: 'As the preview showed it; so are role and graduation.' }),
    role: line.role,
    graduation_year: z.int(),
    graduation_season: season,
    outcome: z.enum(LINE_OUTCOMES),
    why: z.string().nullable().meta({
      description: 'Why somebody was skipped or kept, or came back without their office.',
      example: 'status_changed',
    }),
  })
  .meta({ id: 'RolloverLine' });
