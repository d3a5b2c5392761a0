/**
 * builds [--current <id> | --unversioned | --move <id>]: lists worker builds and sets the one on which new processes
 * begin (docs/operating/upgrades.md).
 */
import { closeTemporal } from '../gateways/temporal/client.js';
import { listBuilds, makeCurrent, moveToCurrent } from '../gateways/temporal/builds.js';
import { readCommandLine } from './commandLine.js';
import { reportFailure } from './reportFailure.js';

const USAGE = 'builds [--current <id> | --unversioned | --move <id>]';

async function main(): Promise<void> {
  const { current, unversioned, move } = readCommandLine(USAGE, {
    current: { type: 'string' },
    unversioned: { type: 'boolean', default: false },
    move: { type: 'string' },
  });
  if ([current, unversioned, move].filter(Boolean).length > 1) throw new Error(`Usage: ${USAGE}`);
  if (current || unversioned) await makeCurrent(current ?? null);
  if (move) console.log(`${await moveToCurrent(move)} processes moved to the current build.`);
  const builds = await listBuilds();
  if (builds.length === 0) console.log('No worker has reported a build (set TEMPORAL_BUILD_ID).');
  for (const { id, state, registeredAt } of builds)
    console.log(`${id}  ${state}  since ${registeredAt?.toISOString() ?? 'unknown'}`);
}

main()
  .catch(reportFailure)
  .finally(() => void closeTemporal());
