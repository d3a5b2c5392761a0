/** Fault: the gateway is not asked what became of a page; only its events tell. */
import * as steps from '../../../activities/finances/hostedPage.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { loadPage, noteLook } from '../../../models/finances/attempts/hostedPage.js';
import type { HostedPageInput } from '../../../workflows/contracts/hostedPage.js';
import { replace } from './replace.js';

const { lookAtPage } = steps;

replace(steps, {
  lookAtPage: (input: HostedPageInput) =>
    inTenant(input.organizationId, async () => {
      const { status, closing } = await loadPage(input.attemptId);
      return status === 'pending' && !closing
        ? { ended: null, lookAgainInSeconds: await noteLook(input.attemptId) }
        : null;
    }).then((look) => look ?? lookAtPage(input)),
});
