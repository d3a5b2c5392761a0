import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, name, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, taken } from '../../errors.js';
import { domains, slug } from './fields.js';
import { OAUTH_PROVIDERS, PROVISION_STATUSES } from './vocabulary.js';

/**
 * An organization's identity provider, as it is known before its tenant. What its protocol adds is in a row of the same id:
 * `OAuthConfiguration`, `SamlConfiguration`.
 */
export class SsoConnection extends defineModel({
  table: 'sso_connections',
  columns: {
    ...tenantKeys,
    kind: oneOf(['saml', 'oauth']).kept().hidden(),
    provider: oneOf(['saml', ...OAUTH_PROVIDERS])
      .kept()
      .hidden(),
    name: name(100).meta({ description: 'What the sign-in button says.', example: 'Alpha University' }),
    slug: column(DataTypes.TEXT, slug, z.string()).meta({
      description: 'Part of the sign-in addresses; unique on the whole platform.',
      example: 'alpha-university',
    }),
    // Of e-mail addresses: for discovery, and for whom sign-in may create an account where the platform has verified them.
    domains: column(DataTypes.ARRAY(DataTypes.TEXT), domains, z.array(z.string())).default([]),
    is_active: yesOrNo().default(true),
    auto_provision: yesOrNo()
      .default(false)
      .meta({
        description:
          'Creates an account and a membership for an address of the domains that nobody uses, as far as the platform has ' +
          'verified them (`verified_domains`).',
      }),
    provision_chapter_id: link()
      .as('provision_chapter')
      .nullable()
      .default(null)
      .meta({ description: 'Chapter of the members that auto_provision creates.' }),
    provision_status: oneOf(PROVISION_STATUSES).default('undergrad'),
    session_max_age_hours: integer(1, 720)
      .default(168)
      .meta({
        description:
          'Hours that a session goes on without a new answer of the provider, 1 to 720: whoever is disabled there is out ' +
          'here after that at the latest. Then `provider_sign_in_due`.',
      }),
    ...stamps,
  },
  derived: {
    verified_domains: derived(
      z.array(z.string()).meta({
        description:
          'Of the domains those that the platform has seen to be yours: for their addresses alone a sign-in accepts an ' +
          'invitation or creates an account.',
      }),
      `ARRAY(SELECT v.domain FROM verified_domains v WHERE v.organization_id = sso_connections.organization_id
          AND v.domain = ANY(sso_connections.domains) ORDER BY v.domain)`,
    ),
  },
  constraints: {
    sso_connections_slug_unique: taken('slug', 'Another identity provider has this slug.'),
    sso_connections_provision_chapter: () => invalid('provision_chapter', 'There is no such chapter.'),
    sso_connections_provision_where: () =>
      invalid('provision_chapter', 'Automatic accounts need a chapter to be members of.'),
  },
}) {}
