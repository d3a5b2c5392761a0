import { readRow } from '../../../models/database/model/read.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refund } from '../../../models/finances/refunds/Refund.js';
import type { ShownRow } from '../../../models/database/model/read.js';
import type { ReservedRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { AfterCommit, Answer } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';

/** Waits a short time for the providers, and answers 201 with the current state of the refunds. */
export const answerWithRefunds = <T>(
  actor: Actor,
  { refunds, workflowIds }: ReservedRefunds,
  answer: (refunds: ShownRow<typeof Refund>[]) => Promise<T>,
) =>
  new AfterCommit(async (dispatched) => {
    await dispatched;
    await Promise.all(workflowIds.map(waitForProcess));
    const read = async () => {
      const rows = await Promise.all(refunds.map((id) => readRow(Refund, id)));
      return new Answer(await answer(rows), { status: 201 });
    };
    return inTenant(actor.organizationId, read, { readOnly: true });
  });
