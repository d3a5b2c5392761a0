import { z } from 'zod';
import { integer, json, link, moment, oneOf, platformKey, text, times, yesOrNo } from '../database/model/columns.js';
import { defineModel, derived } from '../database/model/defineModel.js';
import { moment as shownMoment } from '../fields.js';
import { AUTH_METHODS } from './Actor.js';

/** A sign-in of a person with one device. */
export class Session extends defineModel({
  table: 'sessions',
  columns: {
    ...platformKey,
    user_id: link().hidden(),
    organization_id: link()
      .as('organization')
      .nullable()
      .meta({ description: 'The organization that the session acts in; null for platform admins.' }),
    switches: integer(0, 2_147_483_647).default(0).hidden(),
    client: oneOf(['web', 'native']).default('web'),
    user_agent: text(300).nullable(),
    ip_address: text(60).nullable(),
    auth_method: oneOf(AUTH_METHODS)
      .default('password')
      .meta({ description: 'Method of the most recent authentication.' }),
    // Time of the most recent authentication. The Unix epoch means that it is unknown.
    auth_time: moment().computed('now()').hidden(),
    confined: yesOrNo().default(false).hidden(),
    connection_id: link().nullable().hidden(),
    provider_name_id: text(1024).nullable().hidden(),
    provider_name_attributes: json(z.record(z.string(), z.unknown())).nullable().hidden(),
    provider_session: text(1024).nullable().hidden(),
    provider_answered_at: moment().nullable().hidden(),
    impersonation_id: link().nullable().hidden(),
    last_seen_at: moment().computed('now()').meta({ description: 'When it last received tokens.' }),
    expires_at: moment().meta({ description: 'When the session ends unless it is refreshed before.' }),
    revoked_at: moment().nullable().hidden(),
    revoked_reason: text(50).nullable().hidden(),
    created_at: times.created_at,
    updated_at: times.updated_at.hidden(),
  },
  derived: {
    auth_time: derived(
      shownMoment.nullable().meta({
        description: 'Time of the most recent authentication; null when the identity provider does not report it.',
      }),
      `nullif(sessions.auth_time, 'epoch')`,
    ),
  },
}) {}
