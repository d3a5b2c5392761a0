/** The stand-in of clamd for a test file, which the platform uses from now on. */
import { config } from '../../config.js';
import { type ScanStandin, startScanStandin } from '../../development/standins/scan/server.js';

export function aScanner(): ScanStandin {
  const world = {} as ScanStandin;
  beforeAll(async () => {
    Object.assign(world, await startScanStandin({ port: 0 }));
    Object.assign(config, { clamd: { host: '127.0.0.1', port: world.port, timeoutMs: 20_000 } });
  });
  afterAll(async () => {
    Object.assign(config, { clamd: null });
    await world.close();
  });
  return world;
}
