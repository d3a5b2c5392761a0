import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { email, flag, givenMoment, name, recordId, searchText, seenVersion, text } from '../../../models/fields.js';
import { PnmProfile } from '../../../models/intake/pnm/PnmProfile.js';
import { PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageQuery } from '../../http/pagination.js';
import { outcomeError } from '../../organizations/requests.js';

const person = {
  user: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z
    .string()
    .nullable()
    .meta({ description: 'Null of a deleted account, and of somebody who declined an invitation.' }),
  status: z.enum(MEMBERSHIP_STATUSES).meta({ description: 'Of the membership.' }),
};

const profile = rowJson(PnmProfile).shape;

export const ProspectJson = z
  .object({
    ...profile,
    ...person,
    problems: z.array(z.string()).meta({ description: 'What stands in the way of an approval, by name.' }),
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

/** What is carried to somebody's demographics is for themselves to say. */
const OWN_WORD = { ethnicity: true } as const;

export const ProspectCreate = z
  .strictObject({
    email,
    first_name: name(100),
    last_name: name(100),
    ...z.object(createBody(PnmProfile).shape).omit(OWN_WORD).shape,
  })
  .meta({ id: 'ProspectCreate' });

export const ProspectEdit = z
  .strictObject(z.object(editBody(PnmProfile).shape).omit(OWN_WORD).shape)
  .meta({ id: 'ProspectEdit' });

export const QueueFilters = z.object({
  ...pageQuery,
  stage: z.enum(PNM_STAGES).optional(),
  status: z.enum(MEMBERSHIP_STATUSES).optional().meta({ description: 'Of the membership.' }),
  period: recordId.optional().meta({ description: 'The recruitment period in which they came.' }),
  search: searchText,
  flagged: flag.optional().meta({ description: 'Whose grade point average is below the minimum.' }),
  unverified: flag.optional().meta({ description: 'Whose mailbox has not answered.' }),
  missing: flag.optional().meta({ description: 'Of whom something stands in the way of an approval.' }),
});

/** What may be said of who crosses. */
export const crossingFields = {
  crossed_at: givenMoment
    .refine((at) => at >= '1900', 'Must be from 1900 on.')
    .optional()
    .meta({ description: 'When somebody crossed; left out: now.' }),
  membership_status: z.enum(['undergrad', 'associate']).optional().meta({ description: 'Of who crosses; undergrad.' }),
  line_number: z.int().min(0).max(10_000).optional(),
};

const to = z.enum(PNM_STAGES).meta({ example: 'completed' });
const reason = text(500).optional().meta({ description: 'Needed to reject, and of who withdraws.' });

const notify_applicant = z
  .boolean()
  .default(false)
  .meta({ description: 'To approve: the applicant is mailed that they are invited to the next step.' });

/** Of each, what can only be said of one stage. */
const ofItsStage = <Shape extends z.ZodObject>(body: Shape) =>
  body.superRefine((given, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (given['notify_applicant'] && given['to'] !== 'approved') refuse('notify_applicant', 'Of who is approved only.');
    if (given['to'] === 'completed') return;
    for (const name of Object.keys(crossingFields)) if (given[name] !== undefined) refuse(name, 'Of who crosses only.');
  });

const waive = z
  .array(z.string().max(60))
  .max(20)
  .optional()
  .meta({ description: 'To approve: what stands in the way, by the names of intake_not_ready; with a reason.' });

export const StageMoveBody = ofItsStage(
  z.strictObject({ to, reason, waive, notify_applicant, ...crossingFields, version: seenVersion }),
).meta({ id: 'StageMove' });

/** At once, of a chapter. */
export const MOST_AT_ONCE = 200;
const { crossed_at, membership_status } = crossingFields;

export const BulkStageMoveBody = ofItsStage(
  z.strictObject({
    ids: z.array(recordId).min(1).max(MOST_AT_ONCE),
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
      stage: z.enum(PNM_STAGES).nullable().meta({ description: 'Now; null where this one was refused.' }),
      error: outcomeError.nullable().meta({
        description: 'What the transition of this one alone would be refused with.',
      }),
    })
    .meta({ id: 'StageOutcome' }),
);
