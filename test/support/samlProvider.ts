/** A SAML identity provider for tests: samlify reads our messages and signs its own; xml-crypto signs messages that samlify would not. */
import * as samlify from 'samlify';
import { SignedXml } from 'xml-crypto';
import { type KeyPair, makeKeyPair } from '../../gateways/saml/certificate.js';
import { type SamlProvider, samlProvider } from '../../development/standins/saml/provider.js';
import { schemaProblems } from './samlSchema.js';

export {
  type AuthnRequestFields,
  EMAIL_OID,
  newId,
  responseXml,
  type ResponseFields,
  responseFieldsFor,
  type SamlProvider,
} from '../../development/standins/saml/provider.js';

samlify.setSchemaValidator({
  validate: async (xml: string) => {
    const problems = await schemaProblems(xml, 'protocol');
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return 'valid';
  },
});

export const base64 = (xml: string): string => Buffer.from(xml).toString('base64');

export async function aSamlProvider(host = 'idp.example.org', given?: KeyPair): Promise<SamlProvider> {
  return samlProvider(`https://${host}`, given ?? (await makeKeyPair(host, Date.now())));
}

export interface Signing {
  /** XPath of the signed element. */
  what?: string;
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  canonicalization?: string;
}

const ASSERTION = "/*[local-name(.)='Response']/*[local-name(.)='Assertion']";

/** Signs without samlify. @param keyPair of the real or pretended signer */
export function signXml(xml: string, keyPair: KeyPair, signing: Signing = {}): string {
  const canonicalizationAlgorithm = signing.canonicalization ?? 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const xpath = signing.what ?? ASSERTION;
  const signed = new SignedXml({
    privateKey: keyPair.privateKey,
    publicCert: keyPair.certificate,
    signatureAlgorithm: signing.signatureAlgorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm,
  });
  signed.addReference({
    xpath,
    digestAlgorithm: signing.digestAlgorithm ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm],
  });
  signed.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signed.getSignedXml();
}
