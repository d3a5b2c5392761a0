import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, name, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, duplicateValue } from '../../errors.js';
import { domains, slug } from './fields.js';
import { OAUTH_PROVIDERS, PROVISION_STATUSES } from './vocabulary.js';

/**
 * An organization's connection to an identity provider: the columns that are read before the tenant is known. The
 * settings of the protocol are in `OAuthConfiguration` or `SamlConfiguration`, in a row with the same id.
 */
export class SsoConnection extends defineModel({
  table: 'sso_connections',
  columns: {
    ...tenantKeys,
    kind: oneOf(['saml', 'oauth']).serverSet().hidden(),
    provider: oneOf(['saml', ...OAUTH_PROVIDERS])
      .serverSet()
      .hidden(),
    name: name(100).meta({ description: 'Label of the sign-in button.', example: 'Alpha University' }),
    slug: column(DataTypes.TEXT, slug, z.string()).meta({
      description: 'Part of the sign-in addresses; unique across the platform.',
      example: 'alpha-university',
    }),
    // The connection's e-mail domains. Addresses in these domains lead people to this provider. If the platform has
    // verified the domains, accounts may be created at sign-in.
    domains: column(DataTypes.ARRAY(DataTypes.TEXT), domains, z.array(z.string())).default([]),
    is_active: yesOrNo().default(true),
    auto_provision: yesOrNo()
      .default(false)
      .meta({
        description:
          'Creates an account and a membership at the first sign-in with an unused address of the domains that the platform has ' +
          'verified (`verified_domains`).',
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
          'Hours that a session lasts without a new answer of the provider, 1 to 720. A person who is disabled there loses ' +
          'access here after that time at the latest (`provider_sign_in_due`).',
      }),
    ...stamps,
  },
  derived: {
    verified_domains: derived(
      z.array(z.string()).meta({
        description:
          'The domains that the platform has verified as yours. Only for their addresses can a sign-in accept an ' +
          'invitation or create an account.',
      }),
      `ARRAY(SELECT v.domain FROM verified_domains v WHERE v.organization_id = sso_connections.organization_id
          AND v.domain = ANY(sso_connections.domains) ORDER BY v.domain)`,
    ),
  },
  constraints: {
    sso_connections_slug_unique: duplicateValue('slug', 'Another identity provider has this slug.'),
    sso_connections_provision_chapter: () => invalid('provision_chapter', 'There is no such chapter.'),
    sso_connections_provision_where: () =>
      invalid('provision_chapter', 'auto_provision needs a chapter for the new members.'),
  },
}) {}
