import { condition, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/identity/deletion.js';
import {
  type AccountDeletionOutcome,
  deleteAccount as entry,
  type DeleteAccountInput,
  UNDO,
} from './contracts/deleteAccount.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { secondsToErasure, beginErasure, eraseInOrganizations, farewellIsClosed, erasePerson } = proxyActivities<
  typeof steps
>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
});

const undo = defineSignal(UNDO);
/**
 * Maximum number of checks whether the farewell mail was sent or the attempts to send it were given up. They take about
 * two days in all.
 */
const MAX_FAREWELL_CHECKS = 57;
const HOUR_MS = 3_600_000;

/**
 * Deletes an account: waits for the withdrawal period of seven days, then erases the person in each organization, and
 * finally the account itself.
 */
export async function deleteAccount(input: DeleteAccountInput): Promise<AccountDeletionOutcome> {
  // The row tells whether the deletion was withdrawn. The signal only makes the process read the row again.
  let changed = false;
  setHandler(undo, () => {
    changed = true;
  });

  stage('waiting');
  for (let seconds; (seconds = await secondsToErasure(input)) > 0; ) {
    await condition(() => changed, seconds * 1000);
    changed = false;
  }
  const result = await beginErasure(input);
  if (result !== 'begun') {
    stage(result);
    return result;
  }

  stage('erasing');
  for (let after: string | null = null; ; ) {
    after = await eraseInOrganizations(input, after);
    if (after === null) break;
  }
  stage('taking leave');
  for (let checks = 0; checks < MAX_FAREWELL_CHECKS && !(await farewellIsClosed(input)); checks += 1) {
    await sleep(Math.min(5_000 * 2 ** checks, HOUR_MS));
  }
  await erasePerson(input);
  stage('erased');
  return 'erased';
}
