/** A worker is killed while it issues and mails the annual receipts of two foundations: the next one goes on. */
import { once } from 'node:events';
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { annualReceiptsOf, aRun, readRun, type Run } from '../support/annualReceipts.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';

const DONORS = 20;

let platform: Platform;
let catcher: Catcher;
let workers: Workers | undefined;
let running: Promise<void>;
let relay: Relay;
let interrupted: Run[];

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  catcher = await startMailServer();
  interrupted = await killWorkerInRuns();
  workers = await createWorkers(['bulk', 'notify']);
  running = workers.run();
  relay = startRelay();
});
afterAll(async () => {
  workers?.shutdown();
  await running;
  await relay.stop();
  await stopMailServer(catcher);
  await platform.close();
});

/** Kills a worker while it mails the receipts of two runs. */
async function killWorkerInRuns(): Promise<Run[]> {
  const runs = [await aRun(platform, DONORS), await aRun(platform, DONORS)];
  const worker = spawnPart('worker', platform.gateway, { SMTP_URL: catcher.smtpUrl });
  try {
    await eventually(
      async () => catcher.mails.list().length,
      (count) => count >= 12,
      60,
    );
    return runs;
  } finally {
    worker.kill('SIGKILL');
    if (worker.exitCode === null) await once(worker, 'exit');
    // The next attempt need not wait for two minutes.
    await asOwner("UPDATE mail_messages SET claimed_at = now() - interval '3 minutes' WHERE outcome IS NULL");
  }
}

test('runs whose worker was killed go on: each donor has one receipt, and each mail is one message', async () => {
  for (const run of interrupted) {
    await eventually(
      () => readRun(platform, run),
      ({ status }) => status === 'issued',
      90,
    );
    const receipts = await eventually(
      () => annualReceiptsOf(run),
      (all) => all.every(({ mail_status }) => mail_status === 'mailed'),
      60,
    );
    expect(receipts).toHaveLength(DONORS);
    expect(new Set(receipts.map(({ donor_id }) => donor_id)).size).toBe(DONORS);
    const ids = new Set(receipts.map(({ id }) => `<receipt.${id}@example.org>`));
    const mails = catcher.mails.list().filter(({ message_id }) => ids.has(message_id ?? ''));
    expect(new Set(mails.map(({ message_id }) => message_id)).size).toBe(DONORS);
    // Mails that were in flight may arrive twice, as the same message.
    expect(mails.length).toBeLessThanOrEqual(DONORS + 10);
  }
}, 180_000);
