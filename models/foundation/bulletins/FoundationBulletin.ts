import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { line } from '../../fields.js';
import { plainTextOf, richText } from '../../richText.js';

const BULLETIN_STATUSES = ['draft', 'scheduled', 'sending', 'sent'] as const;
const AUDIENCES = ['all_donors', 'recurring_donors', 'campaign_donors', 'organization_members'] as const;

const bodyHtml = richText.refine((html) => plainTextOf(html) !== '', 'Must contain text.');

/** A mail of the foundation to its donors, or to the members of its organization. */
export class FoundationBulletin extends defineModel({
  table: 'foundation_bulletins',
  subject: 'foundation_bulletin',
  columns: {
    ...tenantKeys,
    subject: column(DataTypes.TEXT, line(200), z.string()).meta({ example: 'News of the spring appeal' }),
    body_html: column(DataTypes.TEXT, bodyHtml, z.string()).nullable().meta({
      description: 'HTML. Tags and attributes that are not allowed are removed.',
      example: '<p>Thank you.</p>',
    }),
    body_text: text(20_000).nullable().meta({
      description:
        'Plain text. Without `body_html` the mail is plain text; together with it this is the text part. If left out, the text part is made from the HTML.',
    }),
    audience: oneOf(AUDIENCES).meta({
      description:
        '`all_donors`: people with a completed gift. `recurring_donors`: people with a pledge that is active or past due. `campaign_donors`: people with a completed gift to `campaign`. `organization_members`: people with a membership that gives access.',
    }),
    campaign_id: link().as('campaign').nullable(),
    status: oneOf(BULLETIN_STATUSES).default('draft').serverSet(),
    send_at: moment().nullable().meta({ description: 'When it is or was due.' }),
    round: integer(0, 2_147_483_647).default(0).serverSet().hidden(),
    started_by: link().nullable().serverSet().hidden(),
    started_at: moment().nullable().meta({ description: 'When the audience was frozen.' }),
    progressed_at: moment().nullable().hidden(),
    sender: link().nullable().serverSet().hidden(),
    held_at: moment().nullable().meta({
      description:
        'When sending was put on hold: it was more than 12 hours late, stood still for 12 hours, or its admin lost the role.',
    }),
    stopped_at: moment().nullable(),
    sent_at: moment().nullable().meta({ description: 'When every recipient had an outcome, or sending was stopped.' }),
    ...stamps,
  },
  constraints: {
    foundation_bulletins_body: () => invalid('body_text', 'Give body_html, body_text or both.'),
    foundation_bulletins_audience: () =>
      invalid('campaign', 'Name a campaign for the audience campaign_donors, and for no other audience.'),
    foundation_bulletins_organization_id_campaign_id_fkey: () => invalid('campaign', 'There is no such campaign.'),
  },
}) {}
