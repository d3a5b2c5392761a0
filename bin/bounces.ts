/** Receives bounce reports at the platform's return paths. Ends on SIGTERM. */
import { config } from '../config.js';
import { type Receiver, startReceiver } from '../gateways/mail/bounces/startReceiver.js';
import '../models/wireAreas.js';
import { refuseStrongRole } from '../models/database/roles.js';
import { log } from '../models/log.js';
import { recordBounce } from '../models/notifications/mail/recordBounce.js';
import { mailOfReturnPath } from '../models/notifications/mail/returnPath.js';
import { exitWithSupervisor, reportReady } from './serving/exitWithSupervisor.js';
import { observe } from './serving/observe.js';

async function main(): Promise<void> {
  exitWithSupervisor();
  const sendTraces = await observe('bounces');
  await refuseStrongRole();
  const { BOUNCES_DOMAIN: domain, BOUNCES_HOST: host, BOUNCES_PORT: port } = config;
  if (!domain) throw new Error('BOUNCES_DOMAIN is not set, so mail has no return path to this program.');
  const receiver = await startReceiver({
    host,
    port,
    domain,
    mailOf: mailOfReturnPath,
    onReport: (mailId, { status }) => recordBounce(mailId, status),
  });
  log.info({ part: 'bounces', port: receiver.port }, 'the bounce receiver is listening');
  reportReady();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(receiver, sendTraces));
}

async function stop(receiver: Receiver, sendTraces: () => Promise<void>): Promise<void> {
  await receiver.close();
  await sendTraces();
  process.exit(0);
}

main().catch((error: NodeJS.ErrnoException) => {
  const portInUse =
    error.code === 'EADDRINUSE' ? `Port ${config.BOUNCES_PORT} is in use; set BOUNCES_PORT to another port.` : null;
  console.error(portInUse ?? error.message);
  process.exit(1);
});
