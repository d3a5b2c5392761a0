import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { email, moment, searchText, seenVersion, text } from '../../../models/fields.js';
import { PnmProfile } from '../../../models/intake/pnm/PnmProfile.js';
import { PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageQuery } from '../../http/pagination.js';

const person = {
  user: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable().meta({ description: 'Null of somebody who was invited and declined.' }),
  status: z.enum(MEMBERSHIP_STATUSES).meta({ description: 'Of the membership.' }),
};

const profile = rowJson(PnmProfile).shape;

export const ProspectJson = z.object({ ...profile, ...person }).meta({ id: 'Prospect' });

export const QueueEntryJson = z
  .object({
    id: profile.id,
    membership: profile.membership,
    chapter: profile.chapter,
    ...person,
    stage: profile.stage,
    crossed_at: profile.crossed_at,
    created_at: profile.created_at,
  })
  .meta({ id: 'QueueEntry' });

export const ProspectCreate = z
  .strictObject({ email, first_name: text(100), last_name: text(100), ...createBody(PnmProfile).shape })
  .meta({ id: 'ProspectCreate' });

export const ProspectEdit = z.strictObject(editBody(PnmProfile).shape).meta({ id: 'ProspectEdit' });

export const QueueFilters = z.object({
  ...pageQuery,
  stage: z.enum(PNM_STAGES).optional(),
  search: searchText,
});

/** What may be said of who crosses. */
export const crossingFields = {
  crossed_at: moment
    .refine((at) => at >= '1900', 'Must be from 1900 on.')
    .optional()
    .meta({ description: 'When somebody crossed; left out: now.' }),
  membership_status: z.enum(['undergrad', 'associate']).optional().meta({ description: 'Of who crosses; undergrad.' }),
  line_number: z.int().min(0).max(10_000).optional(),
};

export const StageMoveBody = z
  .strictObject({
    to: z.enum(PNM_STAGES).meta({ example: 'completed' }),
    reason: text(500).optional().meta({ description: 'Needed to reject, and of who withdraws.' }),
    ...crossingFields,
    version: seenVersion,
  })
  .superRefine(({ to, crossed_at, membership_status, line_number }, context) => {
    if (to === 'completed') return;
    for (const [name, given] of Object.entries({ crossed_at, membership_status, line_number }))
      if (given !== undefined) context.addIssue({ code: 'custom', path: [name], message: 'Of who crosses only.' });
  })
  .meta({ id: 'StageMove' });
