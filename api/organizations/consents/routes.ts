import { found, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { giveConsent, withdrawConsent } from '../../../models/organizations/consents/giveConsent.js';
import {
  listDueElsewhere,
  listOwnConsents,
  readOwnConsent,
} from '../../../models/organizations/consents/ownConsents.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { ownConsentPolicy } from './policy.js';
import { GiveConsent, OwnConsentJson, OwnConsentsJson } from './schema.js';

const { consent_version_stale, consent_not_given } = organizationsErrors;
const common = { access: 'tenant', tags: ['organizations'] } as const;
const reads = { ...common, rule: by(ownConsentPolicy, 'read') } as const;
const gives = { ...common, rule: by(ownConsentPolicy, 'give'), params: RowParams, response: OwnConsentJson } as const;

/** Sessions that an organization's identity provider began, and those of impersonation, see that organization alone. */
const staysHere = ({ facts }: Actor): boolean => facts.auth.is_confined || facts.impersonation !== null;

export const ownConsentRoutes = routes('/api/me/consents', [
  get(
    '/',
    {
      ...reads,
      summary: 'What you are asked to agree to, and have',
      description: 'In this organization, what is due first; and how much is due in others, where you give it.',
      operationId: 'listOwnConsents',
      response: OwnConsentsJson,
    },
    async ({ actor }) => {
      authorize(actor, ownConsentPolicy, 'read');
      const consents = await listOwnConsents(actor.userId);
      return { consents, elsewhere: staysHere(actor) ? [] : await listDueElsewhere(actor.userId) };
    },
  ),

  get(
    '/:id/',
    {
      ...reads,
      summary: 'The text of a consent, and what you said to it',
      operationId: 'getOwnConsent',
      params: RowParams,
      response: OwnConsentJson,
      errors: [refuse.not_found],
    },
    async ({ actor, params }) => {
      authorize(actor, ownConsentPolicy, 'read');
      return found(await readOwnConsent(actor.userId, params.id));
    },
  ),

  post(
    '/:id/',
    {
      ...gives,
      summary: 'Agree to what you have read',
      description: 'Name the version and the digest of what you read. Again changes nothing.',
      operationId: 'giveConsent',
      body: GiveConsent,
      errors: [consent_version_stale],
    },
    async ({ actor, params, body }) => {
      authorize(actor, ownConsentPolicy, 'give');
      await giveConsent(actor.userId, params.id, body);
      return found(await readOwnConsent(actor.userId, params.id));
    },
  ),

  post(
    '/:id/withdraw/',
    {
      ...gives,
      summary: 'Withdraw a consent',
      description: 'What was given stays on record, and the withdrawal stands beside it. What is asked is due again.',
      operationId: 'withdrawConsent',
      errors: [consent_not_given],
    },
    async ({ actor, params }) => {
      authorize(actor, ownConsentPolicy, 'give');
      await withdrawConsent(actor.userId, params.id);
      return found(await readOwnConsent(actor.userId, params.id));
    },
  ),
]);
