import { CancellationScope, defineSignal, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/finances/invoiceExports.js';
import {
  EXPORT_RETRIED,
  exportInvoices as entry,
  type ExportInvoicesInput,
  type ExportInvoicesOutcome,
} from './contracts/exportInvoices.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The sweep treats files that are incomplete after an hour as discarded.
const { writeInvoices } = proxyActivities<typeof steps>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const { cancelInvoiceExport } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const retried = defineSignal(EXPORT_RETRIED);

/**
 * Writes invoices as one object; a failed try starts again. A running batch learns from its row that the export was
 * ended.
 */
export async function exportInvoices(input: ExportInvoicesInput): Promise<ExportInvoicesOutcome> {
  let asked = false;
  setHandler(retried, () => {
    asked = true;
  });
  try {
    stage('writing');
    let status: Awaited<ReturnType<typeof writeInvoices>>;
    do {
      asked = false;
      status = await writeInvoices(input);
      // Cancelled and retried before this process ended: this process continues, no other one is started beside it.
    } while (asked);
    const end = status === 'running' || status === 'queued' ? 'cancelled' : status;
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => cancelInvoiceExport(input));
      stage('cancelled');
    }
    throw error;
  }
}
