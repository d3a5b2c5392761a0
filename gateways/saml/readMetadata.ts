/** What an identity provider's metadata says about it (SAML metadata, 2.4.3). */
import { readCertificate } from './certificate.js';
import { BINDING, NS } from './names.js';
import { childrenOf, type Element, readXml, XmlRefused } from './xml.js';

export interface IdentityProviderFacts {
  idp_entity_id: string;
  sso_url: string;
  slo_url: string | null;
  certificate: string;
  next_certificate: string | null;
}

/** Says what is missing, for whoever pasted it. */
export class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused';
}

/** Whose signature it may have is not asked: an administrator vouches for what they paste. @throws MetadataRefused */
export function readMetadata(xml: string): IdentityProviderFacts {
  const [entity, descriptor] = providerIn(documentOf(xml));
  const sso = locationOf(descriptor, 'SingleSignOnService');
  if (sso === null) throw new MetadataRefused('It offers no sign-in by HTTP-Redirect.');
  const [certificate, next, ...others] = signingCertificates(descriptor);
  if (certificate === undefined) throw new MetadataRefused('It has no signing certificate of an RSA key of 2048 bits.');
  if (others.length > 0) throw new MetadataRefused('It has more than two signing certificates.');
  return {
    idp_entity_id: entity.attributes['entityID'] ?? '',
    sso_url: sso,
    slo_url: locationOf(descriptor, 'SingleLogoutService'),
    certificate,
    next_certificate: next ?? null,
  };
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
  const found = entities.flatMap((entity) =>
    childrenOf(entity, NS.metadata, 'IDPSSODescriptor').map((descriptor): [Element, Element] => [entity, descriptor]),
  );
  const [only] = found;
  if (!only || found.length > 1) throw new MetadataRefused(`It describes ${found.length} identity providers, not one.`);
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
