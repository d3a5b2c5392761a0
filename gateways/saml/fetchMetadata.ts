/** Fetches the metadata of an identity provider from the address where it is published. */
import { ForbiddenAddress, guardedFetch, UnusableAnswer } from '../http/guardedFetch.js';
import { type IdentityProviderFacts, MetadataRefused, readMetadata } from './readMetadata.js';

/** The metadata cannot be fetched now; the message is for the administrator of the connection. */
export class MetadataUnavailable extends Error {
  override readonly name = 'MetadataUnavailable';
}

/**
 * Fetches and reads metadata: at most 1 MiB, within 10 s, from public addresses only.
 * @throws MetadataUnavailable, MetadataRefused
 */
export async function fetchMetadata(url: string, nowMs: number): Promise<IdentityProviderFacts> {
  const response = await fetchBounded(url);
  if (response.status !== 200) throw new MetadataUnavailable(`The address answered ${response.status}.`);
  return readMetadata(textOf(await response.arrayBuffer()), nowMs);
}

/**
 * Fetches the metadata for the daily refresh.
 * @returns the metadata; `problem` instead if it could not be fetched or read
 */
export async function tryMetadata(url: string, nowMs: number): Promise<IdentityProviderFacts | { problem: string }> {
  try {
    return await fetchMetadata(url, nowMs);
  } catch (error) {
    if (error instanceof MetadataUnavailable || error instanceof MetadataRefused) return { problem: error.message };
    throw error;
  }
}

async function fetchBounded(url: string): Promise<Response> {
  try {
    return await guardedFetch(url, { headers: { Accept: 'application/samlmetadata+xml, application/xml, text/xml' } });
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new MetadataUnavailable('The address is not a public one.');
    if (error instanceof UnusableAnswer) throw new MetadataUnavailable(error.message);
    throw new MetadataUnavailable('The address does not answer.');
  }
}

function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MetadataRefused('It is not UTF-8.');
  }
}
