import { link, secret, tenant, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** What OAuth adds to the connection of the same id. */
export class OAuthConfiguration extends defineModel({
  table: 'oauth_configurations',
  columns: {
    id: link().primaryKey().kept().hidden(),
    organization_id: tenant.hidden(),
    client_id: text(300),
    client_secret_encrypted: secret(),
    scopes: text(500).default('openid email profile'),
    directory_id: text(100).nullable(),
    // cloud_office: its addresses count as verified, where their domain is known to be the organization's.
    trust_directory_addresses: yesOrNo().default(false),
    issuer: text(500).nullable(),
    authorization_url: text(500).nullable(),
    token_url: text(500).nullable(),
    userinfo_url: text(500).nullable(),
    jwks_uri: text(500).nullable(),
  },
}) {}
