import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, link, secret, tenant, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { scopes } from './fields.js';

/** A column for a URL of the provider. `requireConsistent` checks which URLs a provider may have. */
const address = () => column(DataTypes.TEXT, z.string().trim().min(1).max(500), z.string()).nullable().default(null);

/** The OAuth settings of an SSO connection. The connection (`SsoConnection`) has the same id. */
export class OAuthConfiguration extends defineModel({
  table: 'oauth_configurations',
  columns: {
    id: link().primaryKey().serverSet().hidden(),
    organization_id: tenant.hidden(),
    client_id: text(300),
    client_secret_encrypted: secret(),
    scopes: column(DataTypes.TEXT, scopes, z.string())
      .default('openid email profile')
      .meta({ example: 'openid email profile' }),
    directory_id: column(DataTypes.TEXT, z.uuid().toLowerCase(), z.string())
      .nullable()
      .default(null)
      .meta({ description: 'cloud_office: the directory (tenant) id.' }),
    issuer: address().meta({ description: 'generic: the issuer, exactly as in its ID tokens.' }),
    authorization_url: address().meta({
      description: 'generic: send it with token_url and jwks_uri, or omit all three to discover them at the issuer.',
    }),
    token_url: address(),
    userinfo_url: address(),
    trust_directory_addresses: yesOrNo()
      .default(false)
      .meta({
        description:
          "cloud_office: the directory's addresses count as verified without `xms_edov`, if their domain is one of " +
          '`verified_domains`. Accepted when all allowed domains are.',
      }),
    jwks_uri: address().meta({ description: 'generic: address of the keys that verify ID tokens.' }),
  },
}) {}
