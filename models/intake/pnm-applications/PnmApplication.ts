import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  column,
  json,
  link,
  moment,
  name,
  oneOf,
  stamps,
  tenantKeys,
  text,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { email } from '../../fields.js';

const APPLICATION_STATES = ['unconfirmed', 'received', 'withdrawn'] as const;
const STANDINGS = ['already_member', 'former_member'] as const;

/** That somebody applies in a recruitment period, one an address; what they sent stands in its versions. */
export class PnmApplication extends defineModel({
  table: 'pnm_applications',
  subject: 'pnm_application',
  columns: {
    ...tenantKeys,
    recruitment_period_id: link().as('recruitment_period').kept(),
    chapter_id: link().as('chapter').kept(),
    email: column(DataTypes.TEXT, email, z.string()).kept().unlogged(),
    first_name: name(100).kept().unlogged(),
    last_name: name(100).kept().unlogged(),
    state: oneOf(APPLICATION_STATES).default('unconfirmed').kept(),
    standing: oneOf(STANDINGS).nullable().kept().meta({
      description: 'Why no prospective member came of it: the address is somebody’s who is, or was, a member here.',
    }),
    is_proven: yesOrNo().default(false).kept().meta({ description: 'Whether the mailbox has answered.' }),
    below_minimum_gpa: yesOrNo().default(false).kept(),
    waived: json(z.array(z.string())).default([]).kept().meta({
      description: 'What stood in the way of an approval, and was waived.',
    }),
    waiver_reason: text(500).nullable().kept(),
    profile_id: link().as('pnm').nullable().kept(),
    received_at: moment().nullable(),
    ...stamps,
  },
}) {}
