/** Checks that the replica is read at the end of the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackSettings } from '../../stack/settings.js';
import type { Finding } from './finding.js';

const POLL_MS = 500;
const TIMEOUT_MS = 15_000;
const READS = /^membership_database_reads_total\{server="replica".*\} (\d+)$/gm;

/**
 * Checks that each API reads from the replica. An API that started a moment ago first checks the replica's health, so
 * this waits a while.
 * @throws Error when an API does not answer
 */
export async function readsElsewhere({ ports, cluster }: StackSettings): Promise<Finding> {
  const apis = cluster ? [ports.apiMetrics, cluster.ports.api2Metrics] : [];
  const seen: { api: number; used: boolean; reads: number }[] = [];
  for (const [n, port] of apis.entries()) seen.push({ api: n + 1, ...(await untilUsed(port)) });
  return {
    name: 'each API reads from the replica again',
    examined: seen.reduce((sum, { reads }) => sum + reads, 0),
    violations: seen.filter(({ used }) => !used),
  };
}

async function untilUsed(metricsPort: number): Promise<{ used: boolean; reads: number }> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const used = /^membership_replica_used 1$/m.test(text);
    const reads = [...text.matchAll(READS)].reduce((sum, [, count]) => sum + Number(count), 0);
    if (used || Date.now() > deadline) return { used, reads };
  }
}
