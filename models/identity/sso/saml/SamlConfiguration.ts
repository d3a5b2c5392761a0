import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, json, link, moment, secret, tenant, text } from '../../../database/model/columns.js';
import { defineModel, derived } from '../../../database/model/defineModel.js';
import { browserAddress, entityId } from '../fields.js';
import type { AttributeMapping } from './attributes.js';

const address = () => column(DataTypes.TEXT, browserAddress, z.string());

/** What SAML adds to the connection of the same id: the identity provider's side, and ours. Certificates are PEM. */
export class SamlConfiguration extends defineModel({
  table: 'saml_configurations',
  columns: {
    id: link().primaryKey().kept().hidden(),
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
    sp_certificate: text(20_000).kept(),
    sp_private_key_encrypted: secret(),
    metadata_url: address()
      .nullable()
      .default(null)
      .meta({
        description:
          'Where the provider publishes its metadata: its certificates are taken over from there every day, while its entity ' +
          'id is the same.',
      }),
    last_refreshed_at: moment()
      .nullable()
      .meta({ description: 'When the metadata address last gave what was taken over.' }),
    last_refresh_error: text(100).nullable().kept().meta({ description: 'Why it did not since. What stands, stands.' }),
    refresh_failing_since: moment().nullable().hidden(),
    refresh_warned_at: moment().nullable().hidden(),
  },
  derived: {
    /** Ours for what is encrypted: the one of our metadata first. */
    encryption_keys: derived(
      z.array(z.object({ certificate: z.string(), retires_at: z.string().nullable() })),
      `(SELECT coalesce(json_agg(json_build_object('certificate', k.certificate, 'retires_at', k.retires_at) ORDER BY k.id DESC), '[]')
          FROM saml_encryption_keys k
         WHERE k.organization_id = saml_configurations.organization_id AND k.configuration_id = saml_configurations.id
           AND (k.retires_at IS NULL OR k.retires_at > now()))`,
    ),
  },
}) {}
