import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { Membership } from '../../../models/organizations/Membership.js';
import { MAX_NOTES_LENGTH } from '../../../models/organizations/requests/columns.js';
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

/** Returns tomorrow's date in UTC, because some organizations' time zones are a day ahead. */
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** A day that is not in the future in any time zone. */
export const pastDay = day.refine((on) => on <= tomorrow(), 'Must not be in the future.');

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
    description: 'Returns the roster at the end of that day, with the status and role of that day.',
    example: '2025-03-01',
  }),
  search: searchText.meta({ description: 'Searches names, and addresses if the caller may see them.' }),
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
    justification: text(MAX_NOTES_LENGTH)
      .optional()
      .meta({ description: 'Required in chapters where officers add members by request.' }),
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
      'A person with an account under this address becomes a member at once. Other people are invited, and are shown under these names until they answer.',
  });

const reason = text(500).meta({ example: 'Entered for the wrong person.' });

export const MembershipEdit = editBody(Membership)
  .extend({
    effective_on: day.optional().meta({
      description:
        "First day of the new status and role, in the organization's time zone; defaults to today. A future day schedules the change.",
      example: '2026-05-15',
    }),
    reason: reason
      .optional()
      .meta({ description: 'Reason, stored in the history. Required for corrections and disaffiliations.' }),
  })
  .refine(
    ({ status, role, effective_on }) => effective_on === undefined || status !== undefined || role !== undefined,
    { path: ['effective_on'], message: 'Only allowed with a status or role.' },
  )
  .refine(({ status, role, reason: why }) => why === undefined || status !== undefined || role !== undefined, {
    path: ['reason'],
    message: 'Only allowed with a status or role.',
  })
  .meta({ id: 'MembershipEdit' });

export const ScheduledChangeJson = rowJson(ScheduledChange);

export const TransferBody = z
  .strictObject({
    to_chapter: recordId,
    effective_on: day.optional().meta({
      description:
        "First day in the new chapter, in the organization's time zone; defaults to today. A future day schedules the transfer.",
    }),
    dry_run: z.boolean().default(false).meta({ description: 'True: return the preview and change nothing.' }),
    preview_hash: previewHash
      .optional()
      .meta({ description: 'Required without dry_run: the hash of the preview to confirm.' }),
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
    status: status.meta({ description: 'Status of the new membership.' }),
    role: role.meta({ description: 'Role of the new membership.' }),
    reopens: z
      .uuid()
      .nullable()
      .meta({ description: 'An earlier membership in that chapter that becomes active again.' }),
    terms: z
      .array(z.object({ id: z.uuid(), position: z.enum(POSITIONS), title: z.string().nullable() }))
      .meta({ description: 'Offices that end.' }),
    requests: z
      .array(z.object({ id: z.uuid(), kind: z.enum(REQUEST_KINDS) }))
      .meta({ description: 'Requests that are withdrawn.' }),
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
        open_plan_requests: z.int().meta({ description: 'Payment plan requests, which lapse.' }),
      })
      .meta({
        description:
          'Invoices stay with the chapter that billed them, where the member can pay them. The moving part of the credit goes to the new chapter.',
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
      description:
        'The day on which the next period begins; null for the current period. Of several periods on one day the last counts.',
    }),
    source: z.string().meta({ description: 'Source of the change.', example: 'correction' }),
    actor: z.uuid().nullable().meta({ description: 'The acting user; null if none is recorded.' }),
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
        'Null if the caller may not see it, for a deleted account, and for a person who declined an invitation.',
    }),
    phone_number: z.string().nullable().meta({ description: 'Null if the caller may not see it.' }),
    ...rest,
    invitation,
  })
  .meta({ id: 'Membership' });
