import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, json, link, moment, secret, tenant, text } from '../../../database/model/columns.js';
import { defineModel, derived } from '../../../database/model/defineModel.js';
import { browserAddress, entityId } from '../fields.js';
import type { AttributeMapping } from './attributes.js';

const address = () => column(DataTypes.TEXT, browserAddress, z.string());

/**
 * The SAML settings of an SSO connection: the identity provider's side and ours. The connection (`SsoConnection`) has
 * the same id. Certificates are PEM.
 */
export class SamlConfiguration extends defineModel({
  table: 'saml_configurations',
  columns: {
    id: link().primaryKey().serverSet().hidden(),
    organization_id: tenant.hidden(),
    idp_entity_id: column(DataTypes.TEXT, entityId, z.string()).meta({
      description: "The identity provider's entity id, exactly as it writes it.",
    }),
    sso_url: address(),
    slo_url: address().nullable().default(null),
    certificate_encrypted: secret(),
    next_certificate_encrypted: secret().nullable(),
    third_certificate_encrypted: secret().nullable(),
    attribute_mapping: json(z.custom<AttributeMapping>()),
    sp_certificate: text(20_000).serverSet(),
    sp_private_key_encrypted: secret(),
    metadata_url: address()
      .nullable()
      .default(null)
      .meta({
        description:
          'Address of the provider’s metadata. Its certificates are updated from there every day, as long as its entity ' +
          'id stays the same.',
      }),
    last_refreshed_at: moment().nullable().meta({ description: 'When the metadata was last read successfully.' }),
    last_refresh_error: text(100)
      .nullable()
      .serverSet()
      .meta({ description: 'Why the latest read failed; null after a success. The stored certificates stay in use.' }),
    refresh_failing_since: moment().nullable().hidden(),
    refresh_warned_at: moment().nullable().hidden(),
  },
  derived: {
    /** Our certificates for encrypted assertions; the newest, which our metadata contains, comes first. */
    encryption_keys: derived(
      z.array(z.object({ certificate: z.string(), retires_at: z.string().nullable() })),
      `(SELECT coalesce(json_agg(json_build_object('certificate', k.certificate, 'retires_at', k.retires_at) ORDER BY k.id DESC), '[]')
          FROM saml_encryption_keys k
         WHERE k.organization_id = saml_configurations.organization_id AND k.configuration_id = saml_configurations.id
           AND (k.retires_at IS NULL OR k.retires_at > now()))`,
    ),
  },
}) {}
