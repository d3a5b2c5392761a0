import { link, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';

/** What a member says of themselves to few (spec: carry-forward, rule 7); one a person. The log has names of fields alone. */
export class MemberDemographics extends defineModel({
  table: 'member_demographics',
  subject: 'member_demographics',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').kept(),
    ethnicity: text(100).nullable().unlogged(),
    gender: text(100).nullable().unlogged(),
    pronouns: text(50).nullable().unlogged(),
    first_generation: yesOrNo()
      .nullable()
      .unlogged()
      .meta({ description: 'Whether they are the first of their family at a college.' }),
    ...stamps,
  },
  // Of two who write the first word at once the second has not seen the other's.
  constraints: { member_demographics_person: () => refuse.stale_version() },
}) {}
