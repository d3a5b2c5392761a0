import { z } from 'zod';
import { readCertificate } from '../../../gateways/saml/certificate.js';
import { SAML_REFUSALS, SIGNATURE_PROBLEMS } from '../../../gateways/saml/refused.js';
import { DEFAULT_MAPPING } from '../../../models/identity/sso/saml/attributes.js';
import { CONNECTION, SAML } from '../../identity/sso/bodies.js';
import { pageQuery } from '../../http/pagination.js';
import { moment, text } from '../../../models/fields.js';

/** Example certificate for the docs; no one has its private key. */
const EXAMPLE_CERTIFICATE =
  'MIIDETCCAfmgAwIBAgIUPOCERkzjbyr/AwE8UFmfy+6HAZEwDQYJKoZIhvcNAQELBQAwGDEWMBQGA1UEAwwNaWRwLmFscGhhLmVkdTAeFw0yNjExMjExMTU1MzBaFw00NjExMTYxMTU1MzBaMBgxFjAUBgNVBAMMDWlkcC5hbHBoYS5lZHUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDmoE4jSgUy7cnoJ3BIwXXavrjwDRb+i9z+iELMUAzr+CPBSBWliFMidsFl9vsk9bNi4LO5emS5TAPhmGCYu3CgFy6/Xc8a6hUGCcfkVeKswVNfgHHqsyeUjG6XmJ7j49T1JWobXSHcKuGWQTn/qxjFqIL6Lu1uXRB/JTMIxX15noqCqPnlGPnoQeASx4bowddQKHUjQDMt6562w6TYOAiDtpFHXYEEaNJJrRUaQXw+lnx65RUjcqjyuQJpjbgVZKBc5rCMCtvDF8qwP5JdSXX62vqP5+wBUyTKDtTGAzJU8E3KhG22O8q36jbFOF6RIw+T00775uqU33X41bb+tD0DAgMBAAGjUzBRMB0GA1UdDgQWBBSn2nY9VbYFSEDtX/x1Hpv/GMhpUzAfBgNVHSMEGDAWgBSn2nY9VbYFSEDtX/x1Hpv/GMhpUzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQC7l4NU2DjdYBteSx+C3kbxV1DvVs06265YxyWUe0bIG6CDEMEQJk13yd5ARpfqSp/2I2d0yCUO1iK0ByD14TYpKcO/Y7G/sFDXr1o4lNNJPPhUvOLsCa9Y5BQnaIZjGYdloPEKeOocQSCXQ4UhfYvYdAq8q+9JIbgTIDIdLHw+U44zOQzHY1yMnq+d0xblbueMVsYpMjmZ3lEMFD7Qez8VhtTsXuyeKXMDoCG5YsUk821sUWKY8AQIcCScL1k5yYz7Dj3ZHVxgzaBGuYFBcBHoEVhdJdW2Sb8cE/EUa3ouqFAH6P/0QZcoVKrodgb8zy++DX9kPaOrNCRMF8neUZnZ';

export const ConfigurationQuery = z.object(pageQuery);

const { version, ...connectionEdit } = CONNECTION.edit;
const { idp_entity_id, sso_url, slo_url, metadata_url } = SAML.edit;

const certificate = z
  .string()
  .max(20_000)
  .transform((value, context) => {
    const pem = readCertificate(value);
    if (pem === null) context.addIssue('Must be an X.509 certificate of an RSA key of at least 2048 bits.');
    return pem ?? z.NEVER;
  })
  .meta({ description: 'PEM, or its Base64 content alone. Stored encrypted.', override: { type: 'string' } });

const attribute = text(500);

const attributeMapping = z
  .strictObject({
    email: attribute.default(DEFAULT_MAPPING.email),
    first_name: attribute.default(DEFAULT_MAPPING.first_name),
    last_name: attribute.default(DEFAULT_MAPPING.last_name),
    subject: attribute.nullable().default(null).meta({
      description: 'Attribute with a permanent identifier of the person, for providers with a transient NameID.',
    }),
  })
  .meta({ description: 'Names of attributes; omitted ones have their defaults.' });

const facts = {
  idp_entity_id: SAML.create.idp_entity_id,
  sso_url: SAML.create.sso_url,
  slo_url: SAML.create.slo_url,
  certificate,
  next_certificate: certificate.nullable().default(null).meta({
    description: 'Accepted in addition while the provider changes its certificate.',
  }),
  third_certificate: certificate.nullable().default(null).meta({
    description: 'Accepted in addition, for providers that publish three certificates.',
  }),
};

/** Fields that metadata provides; values that were read from metadata are validated with them as well. */
export const Facts = z.object(facts);

export const SamlConfigurationCreate = z
  .strictObject({
    ...CONNECTION.create,
    ...facts,
    metadata_url: SAML.create.metadata_url,
    attribute_mapping: attributeMapping.default(DEFAULT_MAPPING),
  })
  .meta({
    id: 'SamlConfigurationCreate',
    example: {
      name: 'Alpha University',
      slug: 'alpha-university',
      domains: ['alpha.edu'],
      idp_entity_id: 'https://idp.alpha.edu/metadata',
      sso_url: 'https://idp.alpha.edu/sso',
      certificate: EXAMPLE_CERTIFICATE,
    },
  });

export const SamlConfigurationImport = z
  .strictObject({
    metadata: z.string().min(1).max(1_000_000).optional().meta({
      description: "The identity provider's metadata, XML. If omitted, it is read from `metadata_url`.",
    }),
    metadata_url: SAML.create.metadata_url,
    ...CONNECTION.create,
    attribute_mapping: attributeMapping.default(DEFAULT_MAPPING),
  })
  .refine(({ metadata, metadata_url }) => metadata !== undefined || metadata_url !== null, {
    path: ['metadata'],
    message: 'Send the metadata or a metadata_url.',
  })
  .meta({
    id: 'SamlConfigurationImport',
    example: { metadata: '<md:EntityDescriptor …', name: 'Alpha University', slug: 'alpha-university' },
  });

export const SamlConfigurationEdit = z
  .strictObject({
    ...connectionEdit,
    idp_entity_id,
    sso_url,
    slo_url,
    certificate: certificate.optional(),
    next_certificate: certificate.nullable().optional(),
    third_certificate: certificate.nullable().optional(),
    metadata_url,
    attribute_mapping: attributeMapping.optional(),
    version,
  })
  .meta({ id: 'SamlConfigurationEdit', example: { name: 'Alpha University' } });

const certificateJson = z.object({ fingerprint_sha256: z.string(), expires_at: moment });

export const SamlConfigurationJson = z
  .object({
    ...CONNECTION.json,
    idp_entity_id: SAML.json.idp_entity_id,
    sso_url: SAML.json.sso_url,
    slo_url: SAML.json.slo_url,
    certificate: certificateJson.nullable().meta({
      description: 'Null: the stored certificate can no longer be decrypted, so sign-ins fail. Send it again.',
    }),
    next_certificate: certificateJson.nullable(),
    third_certificate: certificateJson.nullable(),
    metadata_url: SAML.json.metadata_url,
    last_refreshed_at: SAML.json.last_refreshed_at,
    last_refresh_error: SAML.json.last_refresh_error,
    attribute_mapping: z.object({
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      subject: z.string().nullable(),
    }),
    encryption_keys: z
      .array(z.object({ fingerprint_sha256: z.string(), expires_at: moment, retires_at: moment.nullable() }))
      .meta({
        description:
          'Our keys for encrypted assertions. Without `retires_at`: the key in our metadata. With it: an earlier key that still decrypts ' +
          'assertions until then.',
      }),
    sp_entity_id: z.url().meta({ description: 'Our entity id, which is also the URL of our metadata.' }),
    acs_url: z.url(),
    sls_url: z.url(),
    login_url: z.url(),
  })
  .meta({ id: 'SamlConfiguration' });

export const EncryptionKeyBody = z
  .strictObject({
    overlap_days: z.int().min(0).max(90).default(14).meta({
      description:
        'Days for which the previous key still decrypts assertions, until the provider has read our metadata.',
    }),
  })
  .meta({ id: 'SamlEncryptionKeyChange', example: { overlap_days: 14 } });

export const SamlTestBody = z
  .strictObject({
    saml_response: z.string().min(1).max(350_000).meta({ description: 'The form field SAMLResponse, Base64.' }),
  })
  .meta({ id: 'SamlConfigurationTest', example: { saml_response: 'PHNhbWxwOlJlc3BvbnNl…' } });

export const SamlTestJson = z
  .object({
    accepted: z.boolean().meta({ description: 'Whether the signature, URLs and times are valid.' }),
    reason: z.enum(SAML_REFUSALS).nullable(),
    signature_problem: z.enum(SIGNATURE_PROBLEMS).nullable().meta({
      description: 'For the reason `signature_invalid`: the problem of the signature.',
    }),
    sign_in_error: z
      .string()
      .nullable()
      .meta({
        description:
          'For an accepted response: the `error` of the sign-in, for example `no_account` or `email_missing`; ' +
          'null when the person would be signed in.',
      }),
    detail: z.string().nullable(),
    name_id: z.object({ value: z.string(), format: z.string().nullable() }).nullable(),
    attributes: z.record(z.string(), z.array(z.string())).nullable(),
    person: z
      .object({
        subject: z.string().nullable(),
        email: z.string().nullable(),
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Result of the attribute mapping.' }),
  })
  .meta({ id: 'SamlConfigurationTested' });
