/** A stand-in's two ports: what it plays, and its control. */
import type { Answer, Exchange } from './exchange.js';
import { listen } from './listen.js';

export interface StandinPorts {
  /** Of what it plays; 0 takes a free one. */
  port: number;
  controlPort: number;
}

/** How the stand-in of a card processor is started. */
export interface StandinOptions extends StandinPorts {
  /** State survives a restart when given. */
  dataDir?: string;
  log?: (line: string) => void;
}

export interface Standing {
  url: string;
  controlUrl: string;
  ledgerUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Resolves once both listen; neither does where one of them cannot. */
export async function openPorts(
  { port, controlPort }: StandinPorts,
  serve: (exchange: Exchange) => Promise<Answer | null>,
  control: (exchange: Exchange) => Promise<Answer>,
  log: (line: string) => void,
): Promise<Standing> {
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
