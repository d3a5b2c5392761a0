import { z } from 'zod';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  createProof,
  listProofs,
  findProofMembership,
  readProvenStanding,
  revokeProof,
} from '../../../models/finances/good-standing/proofs.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may, policy, self } from '../../http/policy.js';
import { del, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { ownMembership } from '../me/ownMembership.js';
import { CodeQuery, OwnProofFilters, ProofCreate, ProofCreatedJson, ProofJson, ProvenStandingJson } from './schema.js';

const goodStandingPolicy = policy('good standing', { own: [self] });

export const goodStandingRoutes = routes('/api/billing/me/good-standing', [
  get(
    '/',
    {
      ...finances,
      summary: 'Your proofs of good standing, the newest first',
      operationId: 'listOwnGoodStandingProofs',
      rule: by(goodStandingPolicy, 'own'),
      query: OwnProofFilters,
      response: pageOf(ProofJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, goodStandingPolicy, 'own', { user_id: actor.userId });
      const memberships = actor.membershipIds.filter((id) => query.membership === undefined || id === query.membership);
      return presentPage(await listProofs(memberships, pageRequest(query)), query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...finances,
      summary: 'Create a proof that you are in good standing today',
      description:
        'Anyone who has the code sees your name, chapter and organization, the day, and the last day on which the proof is valid; no amounts, and nothing about later days. ' +
        'You are in good standing if you were billed and nothing is past due. An invoice that waits for an installment plan, or is paid by one in time, is not past due.',
      operationId: 'createGoodStandingProof',
      rule: by(goodStandingPolicy, 'own'),
      body: ProofCreate,
      response: ProofCreatedJson,
      status: 201,
      errors: [financesErrors.not_in_good_standing, financesErrors.too_many_standing_proofs],
    },
    async ({ actor, body }) => {
      const membership = ownMembership(actor, body.membership);
      if (!may(actor, goodStandingPolicy, 'own', { membership_id: membership })) throw refuse.not_found();
      const { proof, code } = await createProof(membership, body.days);
      return { ...proof, code, url: `${config.backendUrl}/good-standing/${code}` };
    },
  ),

  del(
    '/:id/',
    {
      ...finances,
      summary: 'Revoke a proof of your good standing',
      operationId: 'revokeGoodStandingProof',
      rule: by(goodStandingPolicy, 'own'),
      params: RowParams,
    },
    async ({ actor, params }) => {
      const membership_id = await findProofMembership(params.id);
      if (!may(actor, goodStandingPolicy, 'own', { membership_id })) throw refuse.not_found();
      await revokeProof(params.id);
    },
  ),
]);

export const publicGoodStandingRoutes = routes('/api/public/good-standing', [
  get(
    '/',
    {
      access: 'public',
      tags: ['finances'],
      throttle: ['public_good_standing'],
      summary: 'Read the proof of good standing behind a code',
      description: 'One proof or none. Unknown, expired and revoked codes get the same answer.',
      operationId: 'listProvenStanding',
      query: CodeQuery,
      response: z.array(ProvenStandingJson),
    },
    ({ query }) => readProvenStanding(query.code),
  ),
]);
