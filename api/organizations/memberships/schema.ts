import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { Membership } from '../../../models/organizations/Membership.js';
import { LONGEST_NOTES } from '../../../models/organizations/requests/columns.js';
import { REQUEST_KINDS } from '../../../models/organizations/requests/openRequests.js';
import { CHANGE_STATES, ScheduledChange } from '../../../models/organizations/lifecycle/ScheduledChange.js';
import {
  GRADUATION_YEARS,
  MEMBERSHIP_ROLES,
  MEMBERSHIP_STATUSES,
  POSITIONS,
} from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { cents, day, email, moment, name, previewHash, recordId, searchText, text } from '../../../models/fields.js';
import { invitation } from '../people.js';

const role = z.enum(MEMBERSHIP_ROLES);
const status = z.enum(MEMBERSHIP_STATUSES);
const { aheadOnCreation } = GRADUATION_YEARS;
const latestOnCreation = (): number => new Date().getUTCFullYear() + aheadOnCreation;

/** Some organizations are a day ahead. */
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** A day that may be over: what was at its end is known. */
export const pastDay = day.refine((on) => on <= tomorrow(), 'This day has not come yet.');

export const RosterFilters = z.object({
  ...pageQuery,
  status: status.optional(),
  role: role.optional(),
  pledge_class: name(100).optional(),
  graduation_year: z
    .string()
    .regex(/^\d{4}$/, 'Must be a year of four digits.')
    .transform(Number)
    .optional(),
  on: pastDay.optional().meta({
    description: "The roster at that day's end: who was a member then, in the status and role of then.",
    example: '2025-03-01',
  }),
  search: searchText.meta({ description: 'In names; in addresses too for those who see them.' }),
  ordering: ordering(
    {
      name: 'n.name',
      joined_date: 'm.joined_date',
      graduation_year: 'm.graduation_year',
      pledge_class: 'm.pledge_class',
      status: 'm.status',
      role: 'm.role',
      created_at: 'm.created_at',
    },
    'name',
    ['joined_date', 'graduation_year', 'pledge_class'],
  ),
});

export const MemberCreate = z
  .object({
    email,
    first_name: name(100),
    last_name: name(100),
    ...createBody(Membership).shape,
    justification: text(LONGEST_NOTES).optional().meta({ description: 'Required where officers add by request.' }),
  })
  .refine(({ graduation_year }) => (graduation_year ?? 0) <= latestOnCreation(), {
    path: ['graduation_year'],
    error: () => `Must be at most ${latestOnCreation()}.`,
  })
  .refine(({ graduation_season, graduation_year }) => !graduation_season || graduation_year, {
    path: ['graduation_season'],
    message: 'A season requires a graduation year.',
  })
  .meta({
    id: 'MemberCreate',
    description:
      'Whoever is known here by this address is a member at once; anybody else is invited, and shown under these names until they answer.',
  });

const reason = text(500).meta({ example: 'Entered for the wrong person.' });

export const MembershipEdit = editBody(Membership)
  .extend({
    effective_on: day.optional().meta({
      description:
        "From when status and role hold, in the organization's time zone; left out: today. A day to come schedules the change.",
      example: '2026-05-15',
    }),
    reason: reason
      .optional()
      .meta({ description: 'Why; corrections and disaffiliations need one. The history keeps it.' }),
  })
  .refine(
    ({ status, role, effective_on }) => effective_on === undefined || status !== undefined || role !== undefined,
    { path: ['effective_on'], message: 'Only a status or a role has a day from which it holds.' },
  )
  .refine(({ status, role, reason: why }) => why === undefined || status !== undefined || role !== undefined, {
    path: ['reason'],
    message: 'Only a change of status or role has a reason.',
  })
  .meta({ id: 'MembershipEdit' });

export const ScheduledChangeJson = rowJson(ScheduledChange);

export const TransferBody = z
  .strictObject({
    to_chapter: recordId,
    effective_on: day.optional().meta({
      description: "From when, in the organization's time zone; left out: today. A day to come schedules it.",
    }),
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: confirms the preview that has it.' }),
  })
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, {
    path: ['preview_hash'],
    message: 'Required. Preview it first, with dry_run.',
  })
  .meta({ id: 'TransferBody' });

export const TransferPreviewJson = z
  .object({
    dry_run: z.literal(true),
    membership: z.uuid(),
    from_chapter: z.uuid(),
    to_chapter: z.uuid(),
    effective_on: z.iso.date(),
    status: status.meta({ description: 'Of the membership there.' }),
    role: role.meta({ description: 'Of the membership there.' }),
    reopens: z.uuid().nullable().meta({ description: 'The membership there from before, which is opened again.' }),
    terms: z
      .array(z.object({ id: z.uuid(), position: z.enum(POSITIONS), title: z.string().nullable() }))
      .meta({ description: 'Offices that end.' }),
    requests: z
      .array(z.object({ id: z.uuid(), kind: z.enum(REQUEST_KINDS) }))
      .meta({ description: 'Requests that are taken back.' }),
    planned_terms: z.array(z.object({ id: z.uuid(), position: z.enum(POSITIONS), starts_on: z.iso.date() })),
    scheduled_changes: z
      .array(z.object({ id: z.uuid(), effective_on: z.iso.date(), status: status.nullable(), role: role.nullable() }))
      .meta({ description: 'Scheduled changes that are cancelled.' }),
    account: z
      .object({
        open_invoices: z.int(),
        due_cents: cents,
        credit_cents: cents,
        moving_credit_cents: cents,
        open_plan_requests: z.int().meta({ description: 'Requests to pay by instalments. They lapse.' }),
      })
      .meta({
        description:
          'What stays with the chapter that billed it, where the member sees and pays it; and what of the credit goes along.',
      }),
    preview_hash: previewHash,
  })
  .meta({ id: 'TransferPreview' });

export const PeriodFilters = z.object(pageQuery);

export const ChangeFilters = z.object({ ...pageQuery, state: z.enum(CHANGE_STATES).optional() });

export const ChangeParams = z.object({ id: recordId, change_id: recordId });

export const MembershipPeriodJson = z
  .object({
    id: z.uuid(),
    status,
    role,
    valid_from: z.iso.date(),
    valid_to: z.iso.date().nullable().meta({
      description: 'The day on which the next one begins; null: it lasts. Of several of one day the last counts.',
    }),
    source: z.string().meta({ description: 'By which path it came.', example: 'correction' }),
    actor: z.uuid().nullable().meta({ description: 'Who did it; null where nobody is on record.' }),
    reason: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'MembershipPeriod' });

const { id, user, chapter, ...rest } = rowJson(Membership).shape;

export const MembershipJson = z
  .object({
    id,
    user,
    chapter,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable().meta({
      description:
        'Null for those who may not see it, of a deleted account, and of somebody who declined an invitation.',
    }),
    phone_number: z.string().nullable().meta({ description: 'Null for those who may not see it.' }),
    ...rest,
    invitation,
  })
  .meta({ id: 'Membership' });
