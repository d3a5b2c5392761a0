import { z } from 'zod';
import { MAX_MEMBER_LINES } from '../../../models/finances/dues-runs/previewDuesRun.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { DuesRun } from '../../../models/finances/dues-runs/DuesRun.js';
import { CHAPTER_STATUSES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { BILLING_MODES } from '../../../models/finances/dues-settings/OrgDuesSettings.js';
import { cents, day, previewHash } from '../../../models/fields.js';

const status = z.enum(MEMBERSHIP_STATUSES);

export const DuesRunRequest = z
  .strictObject({
    term: z.uuid().toLowerCase(),
    due_date: day.meta({ example: '2027-02-01' }),
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
    notify: z.boolean().default(true).meta({ description: 'False: payers are not notified of their new invoices.' }),
    chapter: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: 'With dry_run: member lines of this chapter only. Totals stay.' }),
  })
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, {
    path: ['preview_hash'],
    message: 'Required. Preview the run first, with dry_run.',
  })
  .refine(({ dry_run, chapter }) => dry_run || chapter === undefined, {
    path: ['chapter'],
    message: 'Only with dry_run.',
  })
  .meta({ id: 'DuesRunRequest' });

export const DuesRunPreview = z
  .object({
    dry_run: z.literal(true),
    term: z.uuid().toLowerCase(),
    due_date: z.iso.date(),
    currency: z.string(),
    preview_hash: previewHash,
    totals: z.object({
      chapters: z.int().meta({ description: 'Chapters in which invoices are issued.' }),
      invoices: z.int(),
      members: z.int().meta({ description: 'Members who are billed, by their own invoice or their chapter’s.' }),
      amount_cents: cents,
      already_invoiced: z
        .int()
        .meta({ description: 'Members who have been billed for this term already and are skipped.' }),
      mails: z
        .int()
        .meta({ description: 'Number of mails that notify payers of their new invoices; 0 without `notify`.' }),
    }),
    chapters: z.array(
      z.object({
        chapter: z.uuid().toLowerCase(),
        chapter_name: z.string(),
        billing_mode: z.enum(BILLING_MODES),
        invoices: z.int(),
        members: z.int(),
        amount_cents: cents,
        already_invoiced: z.int(),
        lines: z.array(z.object({ status, quantity: z.int(), unit_amount_cents: cents, amount_cents: cents })),
      }),
    ),
    not_billed: z
      .array(
        z.object({
          chapter: z.uuid(),
          chapter_name: z.string(),
          status: z.enum(CHAPTER_STATUSES),
          members: z.int(),
        }),
      )
      .meta({
        description:
          'Chapters that are skipped because they are not active, with the number of members whose status has a rate.',
      }),
    member_lines: z
      .array(
        z.object({
          chapter: z.uuid().toLowerCase(),
          membership: z.uuid(),
          name: z.string(),
          status,
          amount_cents: cents,
        }),
      )
      .meta({ description: `One per member invoice, at most ${MAX_MEMBER_LINES}. Name a chapter to see its own.` }),
    has_more_member_lines: z.boolean(),
  })
  .meta({ id: 'DuesRunPreview' });

export const DuesRunJson = rowJson(DuesRun);
