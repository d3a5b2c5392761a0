import { link, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';

/**
 * A member's own demographic data, which only a few people may read (spec: carry-forward, rule 7); one row per person.
 * The audit log records the names of changed fields, not the values.
 */
export class MemberDemographics extends defineModel({
  table: 'member_demographics',
  subject: 'member_demographics',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').serverSet(),
    ethnicity: text(100).nullable().unlogged(),
    gender: text(100).nullable().unlogged(),
    pronouns: text(50).nullable().unlogged(),
    first_generation: yesOrNo()
      .nullable()
      .unlogged()
      .meta({ description: 'Whether the member is the first of their family at a college.' }),
    ...stamps,
  },
  // Two requests may create the row at the same time. The second one has not seen the values of the first one, so it
  // gets this refusal.
  constraints: { member_demographics_person: () => refuse.stale_version() },
}) {}
