-- Mail domains that a platform admin verified for an organization. The organization's directory is trusted for
-- addresses of these domains.
CREATE TABLE verified_domains (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  domain text NOT NULL CHECK (domain = lower(domain) AND length(domain) BETWEEN 4 AND 253),
  verified_at timestamptz NOT NULL DEFAULT now(),
  verified_by uuid REFERENCES users ON DELETE SET NULL,
  CONSTRAINT verified_domains_unique UNIQUE (organization_id, domain)
);
