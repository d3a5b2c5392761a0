/** Checks before the start that all needed ports are free. The error names the variable that changes a port. */
import { CLUSTER_PORTS } from './cluster/settings.js';
import { playsAccounts } from './accounts.js';
import { bouncesDomain } from './bounces.js';
import { isPortFree } from './ports.js';
import { playsPush } from './push.js';
import { PORTS, type Ports, type StackSettings } from './settings.js';
import { playsScan } from './scan.js';
import { playsStorage } from './storage.js';

/** Ports of the stand-ins that run in the process of the payment gateway. */
const GATEWAY_PORTS = [
  'gateway',
  'gatewayControl',
  'square',
  'squareControl',
  'paypal',
  'paypalControl',
  'checkout',
  'checkoutControl',
  'socialnet',
] as const;

/** Lists the ports that this start will listen on. */
function neededPorts(settings: StackSettings): (keyof Ports)[] {
  const { external } = settings;
  return [
    'api',
    'apiMetrics',
    'workerMetrics',
    ...(bouncesDomain(settings) ? ['bounces' as const] : []),
    ...(external.database ? [] : ['postgres' as const]),
    ...(external.temporal ? [] : ['temporal' as const, 'temporalUi' as const]),
    ...(external.gateway ? [] : GATEWAY_PORTS),
    ...(playsPush(settings) ? ['apns' as const, 'fcm' as const, 'pushControl' as const] : []),
    ...(playsStorage(settings) ? ['storage' as const] : []),
    ...(playsScan(settings) ? ['scan' as const] : []),
    ...(playsAccounts(settings) ? ['workspaceSuite' as const, 'cloudOffice' as const] : []),
    ...(external.smtp ? [] : ['smtp' as const, 'mailbox' as const]),
  ];
}

/**
 * Checks all ports.
 * @throws Error with one line for each port that is in use, or that is configured for two servers
 */
export async function refuseTakenPorts(settings: StackSettings): Promise<void> {
  const wanted = new Map<number, keyof Ports>();
  const problems: string[] = [];
  for (const name of neededPorts(settings)) {
    const port = settings.ports[name];
    const { variable, what } = PORTS[name];
    const other = wanted.get(port);
    if (other)
      problems.push(
        `Port ${port} is configured for both ${PORTS[other].what} and ${what}: set ${variable} to another port.`,
      );
    else if (!(await isPortFree(port)))
      problems.push(`Port ${port} for ${what} is in use by another program: set ${variable} to a free port.`);
    wanted.set(port, name);
  }
  for (const port of Object.values(settings.cluster?.ports ?? {}))
    if (wanted.has(port) || !(await isPortFree(port)))
      problems.push(
        `Port ${port} for a part of the cluster is in use: set ${CLUSTER_PORTS.variable} to the first of ${CLUSTER_PORTS.count} free consecutive ports.`,
      );
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
