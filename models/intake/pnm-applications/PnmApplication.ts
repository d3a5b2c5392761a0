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

/** An application of one email address in one recruitment period. Its versions hold what was submitted. */
export class PnmApplication extends defineModel({
  table: 'pnm_applications',
  subject: 'pnm_application',
  columns: {
    ...tenantKeys,
    recruitment_period_id: link().as('recruitment_period').serverSet(),
    chapter_id: link().as('chapter').serverSet(),
    email: column(DataTypes.TEXT, email, z.string()).serverSet().unlogged(),
    first_name: name(100).serverSet().unlogged(),
    last_name: name(100).serverSet().unlogged(),
    state: oneOf(APPLICATION_STATES).default('unconfirmed').serverSet(),
    standing: oneOf(STANDINGS).nullable().serverSet().meta({
      description: 'Why no prospective member was created: the address belongs to a current or former member.',
    }),
    is_proven: yesOrNo()
      .default(false)
      .serverSet()
      .meta({ description: 'Whether the applicant has confirmed the email address.' }),
    below_minimum_gpa: yesOrNo().default(false).serverSet(),
    waived: json(z.array(z.string())).default([]).serverSet().meta({
      description: 'Missing requirements that were waived at approval.',
    }),
    waiver_reason: text(500).nullable().serverSet(),
    profile_id: link().as('pnm').nullable().serverSet(),
    received_at: moment().nullable(),
    ...stamps,
  },
}) {}
