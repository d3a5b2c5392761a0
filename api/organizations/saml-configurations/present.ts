import { describeCertificate } from '../../../gateways/saml/certificate.js';
import type { ShownSamlConfiguration } from '../../../models/identity/sso/saml/samlConfigurations.js';
import { loginUrlOf } from '../../identity/sso/oidcProvider.js';
import { addressesOf } from '../../identity/sso/saml/party.js';

export function presentConfiguration(configuration: ShownSamlConfiguration) {
  const {
    certificate,
    next_certificate,
    third_certificate,
    encryption_keys,
    sp_certificate: _,
    ...shown
  } = configuration;
  const { entityId, acsUrl, slsUrl } = addressesOf(configuration.slug);
  return {
    ...shown,
    certificate: certificate === null ? null : describeCertificate(certificate),
    next_certificate: next_certificate === null ? null : describeCertificate(next_certificate),
    third_certificate: third_certificate === null ? null : describeCertificate(third_certificate),
    encryption_keys: encryption_keys.map((key) => ({
      ...describeCertificate(key.certificate),
      retires_at: key.retires_at,
    })),
    sp_entity_id: entityId,
    acs_url: acsUrl,
    sls_url: slsUrl,
    login_url: loginUrlOf({ kind: 'saml', slug: configuration.slug }),
  };
}
