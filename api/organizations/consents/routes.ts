import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { giveConsent, withdrawConsent } from '../../../models/organizations/consents/giveConsent.js';
import {
  listDueElsewhere,
  listOwnConsents,
  readOwnConsent,
} from '../../../models/organizations/consents/ownConsents.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { RowParams } from '../../http/params.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { GiveConsent, OwnConsentJson, OwnConsentsJson } from './schema.js';

/** A person's own consents. No one reads or gives consents for another person. */
const ownConsentPolicy = policy('own consent', { read: [anyone], give: [anyone] });

const { consent_version_stale, consent_not_given } = organizationsErrors;
const common = { access: 'tenant', tags: ['organizations'] } as const;
const reads = { ...common, rule: by(ownConsentPolicy, 'read') } as const;
const giveOptions = {
  ...common,
  rule: by(ownConsentPolicy, 'give'),
  params: RowParams,
  response: OwnConsentJson,
} as const;

/**
 * Reports whether the session may see only this organization. This holds for sessions begun by the organization's
 * identity provider and for impersonations.
 */
const isConfinedToOrganization = ({ facts }: Actor): boolean => facts.auth.is_confined || facts.impersonation !== null;

export const ownConsentRoutes = routes('/api/me/consents', [
  get(
    '/',
    {
      ...reads,
      summary: 'List the consents that you are asked for or have given',
      description:
        'Consents in this organization, due ones first, and the number of due consents in your other organizations.',
      operationId: 'listOwnConsents',
      response: OwnConsentsJson,
    },
    async ({ actor }) => {
      authorize(actor, ownConsentPolicy, 'read');
      const consents = await listOwnConsents(actor.userId);
      return { consents, elsewhere: isConfinedToOrganization(actor) ? [] : await listDueElsewhere(actor.userId) };
    },
  ),

  get(
    '/:id/',
    {
      ...reads,
      summary: 'Get the text of a consent, and your answer',
      operationId: 'getOwnConsent',
      params: RowParams,
      response: OwnConsentJson,
      errors: [refuse.not_found],
    },
    async ({ actor, params }) => {
      authorize(actor, ownConsentPolicy, 'read');
      return requireFound(await readOwnConsent(actor.userId, params.id));
    },
  ),

  post(
    '/:id/',
    {
      ...giveOptions,
      summary: 'Give a consent',
      description:
        'Requires the version and the digest of the text that you read. Repeating the request changes nothing.',
      operationId: 'giveConsent',
      body: GiveConsent,
      errors: [consent_version_stale],
    },
    async ({ actor, params, body }) => {
      authorize(actor, ownConsentPolicy, 'give');
      await giveConsent(actor.userId, params.id, body);
      return requireFound(await readOwnConsent(actor.userId, params.id));
    },
  ),

  post(
    '/:id/withdraw/',
    {
      ...giveOptions,
      summary: 'Withdraw a consent',
      description:
        'The consent stays recorded, together with the withdrawal. If it is still asked for, it is due again.',
      operationId: 'withdrawConsent',
      errors: [consent_not_given],
    },
    async ({ actor, params }) => {
      authorize(actor, ownConsentPolicy, 'give');
      await withdrawConsent(actor.userId, params.id);
      return requireFound(await readOwnConsent(actor.userId, params.id));
    },
  ),
]);
