import { inTenant } from '../../../models/database/tenancy.js';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { LedgerCheck } from '../../../models/finances/ledger-checks/LedgerCheck.js';
import { startLedgerCheck } from '../../../models/finances/ledger-checks/startLedgerCheck.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { AfterCommit, Answer, post, routes } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { finances } from '../fields.js';

export const ledgerCheckPolicy = policy('ledger check', { read: [nationalAdmin], write: [nationalAdmin] });

const check = resource(LedgerCheck, { policy: ledgerCheckPolicy, tags: finances.tags });

export const ledgerCheckRoutes = routes('/api/organizations/:organization_id/ledger-checks', [
  check.page({
    summary: 'List ledger checks',
    filters: ['status'],
    ordering: ordering({ started_at: 'ledger_checks.started_at' }, '-started_at'),
  }),

  post(
    '/',
    {
      ...finances,
      summary: 'Check the ledger of the organization',
      description:
        'Applies the rules of the ledger to all rows of the organization. 201 with the result if the check ends within seconds, else 202.',
      rule: by(ledgerCheckPolicy, 'write'),
      params: OrganizationParams,
      response: rowJson(LedgerCheck),
      status: 201,
      alsoStatus: [202],
      errors: [financesErrors.check_running],
    },
    async ({ actor }) => {
      authorize(actor, ledgerCheckPolicy, 'write');
      const { id, workflowId } = await startLedgerCheck(actor.userId);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        await waitForProcess(workflowId);
        const row = await inTenant(actor.organizationId, () => readRow(LedgerCheck, id), { readOnly: true });
        return new Answer(row, { status: row.status === 'running' ? 202 : 201 });
      });
    },
  ),

  check.read({ summary: 'Get a ledger check and its result' }),
]);
