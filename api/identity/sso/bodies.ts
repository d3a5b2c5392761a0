/**
 * Schema parts of request bodies and responses about connections to identity providers, derived from the columns of
 * their rows.
 */
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { OAuthConfiguration } from '../../../models/identity/sso/OAuthConfiguration.js';
import { SamlConfiguration } from '../../../models/identity/sso/saml/SamlConfiguration.js';
import { SsoConnection } from '../../../models/identity/sso/SsoConnection.js';

export const CONNECTION = {
  create: createBody(SsoConnection).shape,
  edit: editBody(SsoConnection).shape,
  json: rowJson(SsoConnection).shape,
};

export const OAUTH = {
  create: createBody(OAuthConfiguration).shape,
  edit: editBody(OAuthConfiguration).shape,
  json: rowJson(OAuthConfiguration).shape,
};

export const SAML = {
  create: createBody(SamlConfiguration).shape,
  edit: editBody(SamlConfiguration).shape,
  json: rowJson(SamlConfiguration).shape,
};
