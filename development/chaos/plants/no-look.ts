/** Planted fault: the platform never asks the gateway about a page and relies on events alone. */
import * as steps from '../../../activities/finances/hostedPage.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { loadHostedPage, recordPageCheck } from '../../../models/finances/attempts/hostedPage.js';
import type { HostedPageInput } from '../../../workflows/contracts/hostedPage.js';
import { replace } from './replace.js';

const { lookAtPage } = steps;

replace(steps, {
  lookAtPage: (input: HostedPageInput) =>
    inTenant(input.organizationId, async () => {
      const { status, closing } = await loadHostedPage(input.attemptId);
      return status === 'pending' && !closing
        ? { ended: null, lookAgainInSeconds: await recordPageCheck(input.attemptId) }
        : null;
    }).then((look) => look ?? lookAtPage(input)),
});
