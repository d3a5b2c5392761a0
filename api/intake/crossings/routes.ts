import { z } from 'zod';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { resumeCrossing, revertCrossing } from '../../../models/intake/crossings/revertCrossing.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { text } from '../../../models/fields.js';
import { Crossing } from '../../../models/intake/crossings/Crossing.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { post } from '../../http/routes.js';
import { pnmPolicy } from '../pnm/policy.js';

export const CrossingJson = rowJson(Crossing);

const RevertBody = z.strictObject({ reason: text(500).optional() }).meta({ id: 'CrossingRevert' });

const decides = { access: 'tenant', tags: ['intake'], rule: by(pnmPolicy, 'decide'), params: RowParams } as const;

export const crossingRoutes = [
  post(
    '/api/crossings/:id/revert/',
    {
      ...decides,
      summary: 'Revert a crossing',
      description:
        'Possible within seven days, and only if the person was never invoiced. The person becomes a prospective member in progress again and loses the access of this membership. Carried values stay.',
      operationId: 'revertCrossing',
      body: RevertBody,
      response: CrossingJson,
      errors: [
        intakeErrors.crossing_reverted,
        intakeErrors.crossing_invoiced,
        organizationsErrors.revert_too_late,
        organizationsErrors.transition_not_allowed,
      ],
    },
    async ({ actor, params, body }) => {
      authorize(actor, pnmPolicy, 'decide');
      return revertCrossing(params.id, body.reason);
    },
  ),

  post(
    '/api/crossings/:id/resume/',
    {
      ...decides,
      summary: 'Resume a crossing whose process was cancelled',
      operationId: 'resumeCrossing',
      response: CrossingJson,
      errors: [intakeErrors.crossing_not_paused],
    },
    async ({ actor, params }) => {
      authorize(actor, pnmPolicy, 'decide');
      return resumeCrossing(params.id);
    },
  ),
];
