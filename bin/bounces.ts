/** Receives bounce reports at the platform's return paths. Ends on SIGTERM. */
import { config } from '../config.js';
import { type Receiver, startReceiver } from '../gateways/mail/bounces/startReceiver.js';
import '../models/areas.js';
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
  if (!domain) throw new Error('BOUNCES_DOMAIN is not set: mail has no return path that leads here.');
  const receiver = await startReceiver({
    host,
    port,
    domain,
    mailOf: mailOfReturnPath,
    onReport: (mailId, { status }) => recordBounce(mailId, status),
  });
  log.info({ part: 'bounces', port: receiver.port }, 'reports about undelivered mail are taken');
  reportReady();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave(receiver, sendTraces));
}

async function leave(receiver: Receiver, sendTraces: () => Promise<void>): Promise<void> {
  await receiver.close();
  await sendTraces();
  process.exit(0);
}

main().catch((error: NodeJS.ErrnoException) => {
  const taken =
    error.code === 'EADDRINUSE' ? `Port ${config.BOUNCES_PORT} is taken; BOUNCES_PORT chooses another.` : null;
  console.error(taken ?? error.message);
  process.exit(1);
});
