import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { email, flag, inputMoment, name, recordId, searchText, seenVersion, text } from '../../../models/fields.js';
import { PnmProfile } from '../../../models/intake/pnm/PnmProfile.js';
import { PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { MEMBERSHIP_STATUSES, STUDENT_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageQuery } from '../../http/pagination.js';
import { outcomeError } from '../../organizations/requests.js';

const person = {
  user: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z
    .string()
    .nullable()
    .meta({ description: 'Null for a deleted account and for a person who declined an invitation.' }),
  status: z.enum(MEMBERSHIP_STATUSES).meta({ description: 'Status of the membership.' }),
};

const profile = rowJson(PnmProfile).shape;

export const ProspectJson = z
  .object({
    ...profile,
    ...person,
    problems: z.array(z.string()).meta({ description: 'Names of the requirements that an approval still lacks.' }),
  })
  .meta({ id: 'Prospect' });

export const QueueEntryJson = z
  .object({
    id: profile.id,
    membership: profile.membership,
    chapter: profile.chapter,
    ...person,
    recruitment_period: profile.recruitment_period,
    stage: profile.stage,
    crossed_at: profile.crossed_at,
    created_at: profile.created_at,
  })
  .meta({ id: 'QueueEntry' });

/** Fields that become demographics: only the person may enter them. */
const SELF_REPORTED = { ethnicity: true } as const;

export const ProspectCreate = z
  .strictObject({
    email,
    first_name: name(100),
    last_name: name(100),
    ...z.object(createBody(PnmProfile).shape).omit(SELF_REPORTED).shape,
  })
  .meta({ id: 'ProspectCreate' });

export const ProspectEdit = z
  .strictObject(z.object(editBody(PnmProfile).shape).omit(SELF_REPORTED).shape)
  .meta({ id: 'ProspectEdit' });

export const QueueFilters = z.object({
  ...pageQuery,
  stage: z.enum(PNM_STAGES).optional(),
  status: z.enum(MEMBERSHIP_STATUSES).optional().meta({ description: 'Status of the membership.' }),
  period: recordId.optional().meta({ description: 'The recruitment period in which the person joined the intake.' }),
  search: searchText,
  flagged: flag.optional().meta({ description: 'People whose grade point average is below the minimum.' }),
  unverified: flag.optional().meta({ description: 'People whose email address is not confirmed.' }),
  missing: flag.optional().meta({ description: 'People for whose approval requirements are missing.' }),
});

/** Fields of a crossing. */
export const crossingFields = {
  crossed_at: inputMoment
    .refine((at) => at >= '1900', 'Must be from 1900 on.')
    .optional()
    .meta({ description: 'Time of the crossing; if left out, now.' }),
  membership_status: z
    .enum(STUDENT_STATUSES)
    .optional()
    .meta({ description: 'Status after the crossing; if left out, undergrad.' }),
  line_number: z.int().min(0).max(10_000).optional(),
};

const to = z.enum(PNM_STAGES).meta({ example: 'completed' });
const reason = text(500).optional().meta({ description: 'Required for rejected and withdrawn.' });

const notify_applicant = z
  .boolean()
  .default(false)
  .meta({ description: 'Only for approved: mails the applicant that they are invited to the next step.' });

/** Refuses fields that do not belong to the requested stage. */
const checkStageFields = <Shape extends z.ZodObject>(body: Shape) =>
  body.superRefine((move, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (move['notify_applicant'] && move['to'] !== 'approved') refuse('notify_applicant', 'Only allowed for approved.');
    if (move['to'] === 'completed') return;
    for (const name of Object.keys(crossingFields))
      if (move[name] !== undefined) refuse(name, 'Only allowed for completed.');
  });

const waive = z.array(z.string().max(60)).max(20).optional().meta({
  description:
    'Only for approved: missing requirements to waive, by the names of intake_not_ready. A reason is required.',
});

export const StageMoveBody = checkStageFields(
  z.strictObject({ to, reason, waive, notify_applicant, ...crossingFields, version: seenVersion }),
).meta({ id: 'StageMove' });

/** Maximum number of people in one bulk request. */
export const MAX_BULK_SIZE = 200;
const { crossed_at, membership_status } = crossingFields;

export const BulkStageMoveBody = checkStageFields(
  z.strictObject({
    ids: z.array(recordId).min(1).max(MAX_BULK_SIZE),
    to,
    reason,
    notify_applicant,
    crossed_at,
    membership_status,
  }),
).meta({ id: 'BulkStageMove' });

export const StageOutcomesJson = z.array(
  z
    .object({
      id: z.uuid(),
      stage: z.enum(PNM_STAGES).nullable().meta({ description: 'The new stage; null if the move was refused.' }),
      error: outcomeError.nullable().meta({
        description: 'The error that the transition of this person alone would get.',
      }),
    })
    .meta({ id: 'StageOutcome' }),
);
