import { link, moment, name, oneOf, platformKey, secret, stamps, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];
export const ENVIRONMENTS = ['production', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Reasons why a phone no longer gets pushes. */
const DEACTIVATED = ['removed', 'session_ended', 'unregistered', 'replaced'] as const;

/** A phone of a person, identified by the token of its push gateway (spec: PushToken). */
export class PushToken extends defineModel({
  table: 'push_tokens',
  columns: {
    ...platformKey,
    user_id: link().serverSet().hidden(),
    session_id: link().nullable().serverSet().hidden(),
    confined_to: link().nullable().serverSet().hidden(),
    platform: oneOf(PLATFORMS),
    environment: oneOf(ENVIRONMENTS).default('production').meta({
      description:
        '`sandbox` is for builds that developers install on an iPhone; APNs has a separate environment for them.',
    }),
    token_encrypted: secret(),
    token_hash: secret(),
    device_name: name(100).nullable().meta({ example: "Kim's phone" }),
    is_active: yesOrNo().default(true).serverSet(),
    last_registered_at: moment().computed('now()'),
    deactivated_reason: oneOf(DEACTIVATED).nullable().serverSet(),
    deactivated_at: moment().nullable().hidden(),
    ...stamps,
  },
}) {}
