import type { Migration } from '../../schemaFiles.js';

/**
 * Creates profiles and onboarding items. A trigger creates both with each membership, and for existing ones
 * (definitions/welcome_members.sql).
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE member_profiles (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL REFERENCES users,
      preferred_name text CHECK (length(preferred_name) BETWEEN 1 AND 100),
      date_of_birth date,
      permanent_address_line1 text CHECK (length(permanent_address_line1) BETWEEN 1 AND 255),
      permanent_address_line2 text CHECK (length(permanent_address_line2) BETWEEN 1 AND 255),
      city text CHECK (length(city) BETWEEN 1 AND 100),
      state text CHECK (length(state) BETWEEN 1 AND 50),
      postal_code text CHECK (length(postal_code) BETWEEN 1 AND 20),
      country text CHECK (length(country) BETWEEN 1 AND 100),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT member_profiles_person UNIQUE (organization_id, user_id),
      CONSTRAINT member_profiles_born CHECK (date_of_birth >= '1900-01-01')
    );
    CREATE INDEX member_profiles_user ON member_profiles (user_id);

    -- completion is not stored: it is read from facts (models/organizations/profiles/readOnboarding.ts)
    CREATE TABLE onboarding_items (
      organization_id uuid NOT NULL REFERENCES organizations,
      membership_id uuid NOT NULL,
      item text NOT NULL CHECK (item IN ('profile', 'consents', 'sign_in')),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (organization_id, membership_id, item),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE
    );
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.welcome_members() CASCADE;
    DROP FUNCTION IF EXISTS app.hand_over_profile() CASCADE;
    DROP FUNCTION IF EXISTS app.consents_due(uuid, uuid);
    DROP TABLE onboarding_items, member_profiles;
  `);
