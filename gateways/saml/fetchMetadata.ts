/** An identity provider's metadata, from the address where it publishes it. */
import { ForbiddenAddress, guardedFetch, UnusableAnswer } from '../http/guardedFetch.js';
import { type IdentityProviderFacts, MetadataRefused, readMetadata } from './readMetadata.js';

/** It cannot be had now; its message is for whoever set the connection up. */
export class MetadataUnavailable extends Error {
  override readonly name = 'MetadataUnavailable';
}

/** At most 1 MiB, within 10 s, from public addresses. @throws MetadataUnavailable, MetadataRefused */
export async function fetchMetadata(url: string, nowMs: number): Promise<IdentityProviderFacts> {
  const response = await ask(url);
  if (response.status !== 200) throw new MetadataUnavailable(`The address answered ${response.status}.`);
  return readMetadata(textOf(await response.arrayBuffer()), nowMs);
}

/** The same, for what is tried again tomorrow. @returns what it says, or why it cannot be had */
export async function tryMetadata(url: string, nowMs: number): Promise<IdentityProviderFacts | { problem: string }> {
  try {
    return await fetchMetadata(url, nowMs);
  } catch (error) {
    if (error instanceof MetadataUnavailable || error instanceof MetadataRefused) return { problem: error.message };
    throw error;
  }
}

async function ask(url: string): Promise<Response> {
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
