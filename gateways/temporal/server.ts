/**
 * The address and security of the Temporal server: plain text in a private network, otherwise TLS, a client certificate
 * or an API key.
 */
import type { TLSConfig } from '@temporalio/client';
import { config } from '../../config.js';

export interface TemporalServer {
  /** `host:port` */
  address: string;
  tls?: TLSConfig | true;
  apiKey?: string;
}

/** Returns the addresses of the cluster's frontends, each `host:port`; at least one. */
export const temporalAddresses = (): string[] => config.TEMPORAL_ADDRESS.split(',');

/**
 * Returns the connection settings of client and worker. An API key or a certificate enables TLS.
 * @param address one of the cluster's addresses
 */
export function temporalServer(address = temporalAddresses()[0] as string): TemporalServer {
  const { TEMPORAL_API_KEY: apiKey } = config;
  const tls = tlsSettings();
  return { address, ...(tls ? { tls } : {}), ...(apiKey ? { apiKey } : {}) };
}

function tlsSettings(): TLSConfig | true | undefined {
  const { TEMPORAL_TLS, TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: key } = config;
  if (!TEMPORAL_TLS && !ca && !crt && !config.TEMPORAL_API_KEY) return undefined;
  const settings = {
    ...(ca ? { serverRootCACertificate: Buffer.from(ca) } : {}),
    ...(crt && key ? { clientCertPair: { crt: Buffer.from(crt), key: Buffer.from(key) } } : {}),
  };
  return Object.keys(settings).length > 0 ? settings : true;
}
