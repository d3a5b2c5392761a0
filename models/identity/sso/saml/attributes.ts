/** Maps the attributes that an identity provider sends to a person's data (spec: SAML 2.0, 3). */

/** Names of the attributes for each field. */
export interface AttributeMapping {
  email: string;
  first_name: string;
  last_name: string;
  /** The attribute that identifies a person permanently. Null: the NameID identifies the person. */
  subject: string | null;
}

export const DEFAULT_MAPPING: AttributeMapping = {
  email: 'urn:oid:0.9.2342.19200300.100.1.3',
  first_name: 'urn:oid:2.5.4.42',
  last_name: 'urn:oid:2.5.4.4',
  subject: null,
};

export interface MappedPerson {
  /** Permanent identifier of the person. Null if the provider sends none. */
  subject: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
}

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/**
 * Maps the attributes to a person's data. If an attribute has several values, the first one is used, as is common
 * practice.
 */
export function mapPerson(
  mapping: AttributeMapping,
  attributes: Readonly<Record<string, readonly string[]>>,
  nameId: { value: string; format: string | null },
): MappedPerson {
  const valueOf = (name: string | null): string | null => (name === null ? null : attributes[name]?.[0] || null);
  const permanentNameId = nameId.format === TRANSIENT_FORMAT ? null : nameId.value;
  return {
    subject: mapping.subject === null ? permanentNameId : valueOf(mapping.subject),
    email: valueOf(mapping.email) ?? (nameId.format === EMAIL_FORMAT ? nameId.value : null),
    first_name: valueOf(mapping.first_name),
    last_name: valueOf(mapping.last_name),
  };
}
