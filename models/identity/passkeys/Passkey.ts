import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, moment, name, platformKey, text, times, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { passkeyErrors } from './errors.js';

/** A passkey (WebAuthn credential) with which a person signs in. */
export class Passkey extends defineModel({
  table: 'webauthn_credentials',
  columns: {
    ...platformKey,
    user_id: link().hidden(),
    credential_id: text(1364).hidden(),
    public_key: column(DataTypes.BLOB, z.instanceof(Buffer)).hidden(),
    signature_counter: column(DataTypes.BIGINT, z.int()).hidden(),
    transports: column(DataTypes.ARRAY(DataTypes.TEXT), z.array(z.string())).default([]).hidden(),
    is_synced: yesOrNo().meta({
      description: 'Whether the passkey is synchronized across several devices (multi-device credential).',
    }),
    name: name(100),
    last_used_at: moment().nullable(),
    needs_reenrollment_at: moment().nullable().hidden(),
    created_at: times.created_at,
    updated_at: times.updated_at.hidden(),
  },
  derived: {
    needs_reenrollment: derived(
      z.boolean().meta({
        description:
          'Whether the passkey may have been copied. It can no longer sign in; registering a new passkey replaces it.',
      }),
      'webauthn_credentials.needs_reenrollment_at IS NOT NULL',
    ),
  },
  constraints: { webauthn_credentials_credential_id_key: passkeyErrors.passkey_already_registered },
}) {}
