import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { cents, previewHash, recordId } from '../../../models/fields.js';
import { LINE_OUTCOMES } from '../../../models/organizations/rollovers/listLines.js';
import { PREVIEW_LINES } from '../../../models/organizations/rollovers/previewRollover.js';
import { Rollover } from '../../../models/organizations/rollovers/Rollover.js';
import { GRADUATION_SEASONS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageQuery } from '../../http/pagination.js';

const MAX_IDS = 1_000;

const { academic_year, through_season, to_status } = createBody(Rollover).shape;

export const RolloverRequest = z
  .strictObject({
    academic_year,
    through_season,
    to_status,
    chapters: z
      .array(recordId)
      .min(1)
      .max(MAX_IDS)
      .optional()
      .meta({ description: 'Only these chapters; defaults to all.' }),
    except: z.array(recordId).max(MAX_IDS).default([]).meta({ description: 'Memberships that stay unchanged.' }),
    dry_run: z.boolean().default(false).meta({ description: 'True: return the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: the hash of the preview to confirm.' }),
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
      members: z.int().meta({ description: 'Number of members to move.' }),
      chapters: z.int(),
      in_office: z
        .int()
        .meta({ description: 'Number of those whose office ends, because the new status does not allow one.' }),
      owing: z
        .int()
        .meta({ description: 'Number of those with open invoices. Amounts that credit does not cover stay due.' }),
      owing_cents: cents,
      without_year: z
        .int()
        .meta({ description: 'Undergraduates and associates without a graduation year; they are never moved.' }),
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
        description: `Members to move, at most ${PREVIEW_LINES}; those in office or with open invoices come first. Filter by chapters to see others.`,
      }),
    has_more_lines: z.boolean(),
    without_year: z
      .array(z.object(line))
      .meta({ description: `Members without a graduation year, at most ${PREVIEW_LINES}.` }),
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
    status: line.status.meta({ description: 'As shown in the preview; this also applies to role and graduation.' }),
    role: line.role,
    graduation_year: z.int(),
    graduation_season: season,
    outcome: z.enum(LINE_OUTCOMES),
    why: z.string().nullable().meta({
      description: 'Why the member was skipped or kept, or was reverted without their office.',
      example: 'status_changed',
    }),
  })
  .meta({ id: 'RolloverLine' });
