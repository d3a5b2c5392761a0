/** Reads the metadata of an identity provider (SAML metadata, 2.4.3). */
import { readCertificate } from './certificate.js';
import { BINDING, NS } from './names.js';
import { childrenOf, type Element, readXml, XmlRefused } from './xml.js';

export interface IdentityProviderFacts {
  idp_entity_id: string;
  sso_url: string;
  slo_url: string | null;
  certificate: string;
  next_certificate: string | null;
  third_certificate: string | null;
}

/** Thrown for unusable metadata. The message says what is missing, for the administrator who entered it. */
export class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused';
}

/**
 * Reads metadata. A signature of the metadata is not verified: the administrator vouches for pasted text, and https
 * protects metadata that is fetched from an address.
 * @throws MetadataRefused
 */
export function readMetadata(xml: string, nowMs: number): IdentityProviderFacts {
  const root = documentOf(xml);
  const [entity, descriptor] = providerIn(root);
  for (const element of [root, entity, descriptor]) requireValid(element, nowMs);
  const sso = locationOf(descriptor, 'SingleSignOnService');
  if (sso === null) throw new MetadataRefused('It has no SingleSignOnService with the binding HTTP-Redirect.');
  const [certificate, next, third, ...others] = signingCertificates(descriptor);
  if (certificate === undefined)
    throw new MetadataRefused('It has no signing certificate with an RSA key of at least 2048 bits.');
  if (others.length > 0) throw new MetadataRefused('It has more than three signing certificates.');
  return {
    idp_entity_id: entity.attributes['entityID'] ?? '',
    sso_url: sso,
    slo_url: locationOf(descriptor, 'SingleLogoutService'),
    certificate,
    next_certificate: next ?? null,
    third_certificate: third ?? null,
  };
}

/** Checks the validity period: expired metadata must not be used (SAML metadata, 2.3.1). */
function requireValid({ attributes: { validUntil } }: Element, nowMs: number): void {
  if (validUntil === undefined) return;
  const end = Date.parse(validUntil);
  if (!(end > nowMs)) throw new MetadataRefused(`It was valid until ${validUntil.slice(0, 40)}.`);
}

function documentOf(xml: string): Element {
  try {
    return readXml(xml.trim(), { metadata: true });
  } catch (error) {
    if (error instanceof XmlRefused) throw new MetadataRefused(error.message);
    throw error;
  }
}

function providerIn(root: Element): [Element, Element] {
  const entities = root.name === 'EntitiesDescriptor' ? childrenOf(root, NS.metadata, 'EntityDescriptor') : [root];
  const identityProviders = entities.flatMap((entity) =>
    childrenOf(entity, NS.metadata, 'IDPSSODescriptor').map((descriptor): [Element, Element] => [entity, descriptor]),
  );
  const [only] = identityProviders;
  if (!only || identityProviders.length > 1)
    throw new MetadataRefused(`It describes ${identityProviders.length} identity providers, not one.`);
  return only;
}

const locationOf = (descriptor: Element, name: string): string | null =>
  childrenOf(descriptor, NS.metadata, name).find(({ attributes }) => attributes['Binding'] === BINDING.redirect)
    ?.attributes['Location'] ?? null;

function signingCertificates(descriptor: Element): string[] {
  const keys = childrenOf(descriptor, NS.metadata, 'KeyDescriptor').filter(
    ({ attributes: { use } }) => use === undefined || use === 'signing',
  );
  const texts = keys
    .flatMap((key) => childrenOf(key, NS.signature, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, NS.signature, 'X509Data'))
    .flatMap((data) => childrenOf(data, NS.signature, 'X509Certificate'))
    .map(({ text }) => readCertificate(text));
  return [...new Set(texts.filter((text) => text !== null))];
}
