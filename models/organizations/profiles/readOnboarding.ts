import { currentOrganization, rows } from '../../database/rows.js';

export const ONBOARDING_ITEMS = ['profile', 'consents', 'sign_in'] as const;

export interface OnboardingItem {
  membership: string;
  chapter: string;
  item: (typeof ONBOARDING_ITEMS)[number];
  /** Whether the item is done. This is derived from the data; an item is never ticked off by hand. */
  is_done: boolean;
}

/** Lists a person's onboarding items for each membership that gives access, in one statement. */
export const readOnboarding = (userId: string): Promise<OnboardingItem[]> =>
  rows<OnboardingItem>(
    `SELECT m.id AS membership, m.chapter_id AS chapter, i.item,
            CASE i.item
              WHEN 'profile' THEN EXISTS (SELECT FROM member_profiles p WHERE p.organization_id = $1 AND p.user_id = $2
                AND num_nulls(p.date_of_birth, p.permanent_address_line1) = 0)
              WHEN 'consents' THEN app.consents_due($1, $2) = 0
              ELSE EXISTS (SELECT FROM sessions s WHERE s.user_id = $2 AND s.impersonation_id IS NULL) END AS is_done
       FROM memberships m JOIN onboarding_items i ON i.organization_id = m.organization_id AND i.membership_id = m.id
      WHERE m.organization_id = $1 AND m.user_id = $2 AND app.gives_access(m.status)
      ORDER BY m.id, array_position(ARRAY['profile', 'consents', 'sign_in'], i.item)`,
    [currentOrganization(), userId],
  );
