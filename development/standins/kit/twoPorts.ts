/** The two ports of a stand-in: the API, and the control port. */
import type { Answer, Exchange } from './exchange.js';
import { listen } from './listen.js';

export interface StandinPorts {
  /** Port of the API; 0 chooses a free one. */
  port: number;
  controlPort: number;
}

/** Options of a card processor's stand-in. */
export interface StandinOptions extends StandinPorts {
  /** Folder for the state, so that it survives a restart. */
  dataDir?: string;
  log?: (line: string) => void;
}

export interface RunningStandin {
  url: string;
  controlUrl: string;
  ledgerUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Opens the API port and the control port, and resolves when both listen. If one cannot be opened, the other is closed.
 */
export async function openPorts(
  { port, controlPort }: StandinPorts,
  serve: (exchange: Exchange) => Promise<Answer | null>,
  control: (exchange: Exchange) => Promise<Answer>,
  log: (line: string) => void,
): Promise<RunningStandin> {
  const main = await listen(port, HOST, serve, log);
  const side = await listen(controlPort, HOST, control, log).catch(async (error: unknown) => {
    await main.close();
    throw error;
  });
  const controlUrl = `http://${HOST}:${side.port}`;
  return {
    url: `http://${HOST}:${main.port}`,
    controlUrl,
    ledgerUrl: `${controlUrl}/ledger`,
    close: async () => void (await Promise.all([main.close(), side.close()])),
  };
}
