import { z } from 'zod';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  giveProof,
  listProofs,
  membershipOfProof,
  readProven,
  revokeProof,
} from '../../../models/finances/good-standing/proofs.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { del, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { ownMembership } from '../me/ownMembership.js';
import { goodStandingPolicy } from './policy.js';
import { CodeQuery, OwnProofFilters, ProofCreate, ProofGivenJson, ProofJson, ProvenStandingJson } from './schema.js';

export const goodStandingRoutes = routes('/api/billing/me/good-standing', [
  get(
    '/',
    {
      ...finances,
      summary: 'What you have proven of your standing, the newest first',
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
      summary: 'Prove to others that you are in good standing today',
      description:
        'For whoever has the code: your name, chapter and organization, the day, and until when it can be seen. No amount, and nothing since. ' +
        'In good standing is who was billed and has nothing past due; what waits for instalments, or is paid by them in time, is not past due.',
      operationId: 'createGoodStandingProof',
      rule: by(goodStandingPolicy, 'own'),
      body: ProofCreate,
      response: ProofGivenJson,
      status: 201,
      errors: [financesErrors.not_in_good_standing, financesErrors.too_many_standing_proofs],
    },
    async ({ actor, body }) => {
      const membership = ownMembership(actor, body.membership);
      if (!may(actor, goodStandingPolicy, 'own', { membership_id: membership })) throw refuse.not_found();
      const { proof, code } = await giveProof(membership, body.days);
      return { ...proof, code, url: `${config.backendUrl}/good-standing/${code}` };
    },
  ),

  del(
    '/:id/',
    {
      ...finances,
      summary: 'Take a proof of your standing back: nobody sees it from now on',
      operationId: 'revokeGoodStandingProof',
      rule: by(goodStandingPolicy, 'own'),
      params: RowParams,
    },
    async ({ actor, params }) => {
      const membership_id = await membershipOfProof(params.id);
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
      summary: 'What a code proves of somebody’s standing',
      description:
        'One, or none: an unknown code, one that has expired and one that was taken back are answered alike.',
      operationId: 'listProvenStanding',
      query: CodeQuery,
      response: z.array(ProvenStandingJson),
    },
    ({ query }) => readProven(query.code),
  ),
]);
